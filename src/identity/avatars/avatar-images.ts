import { fileTypeFromBuffer } from 'file-type/node';

/** Pictures that browsers draw and that cannot carry scripts: no SVG. The first ending is the usual one. */
const ENDINGS = new Map<string, readonly [string, ...string[]]>([
  ['image/png', ['png']],
  ['image/apng', ['png', 'apng']],
  ['image/jpeg', ['jpg', 'jpeg']],
  ['image/gif', ['gif']],
  ['image/bmp', ['bmp']],
  ['image/tiff', ['tiff', 'tif']],
  ['image/x-icon', ['ico']],
  ['image/webp', ['webp']],
]);

const LONGEST_NAME = 100;

/** The type of a picture by its bytes, whatever its name says; null for anything else. */
export async function imageTypeOf(content: Buffer): Promise<string | null> {
  const found = await fileTypeFromBuffer(content);
  return found && ENDINGS.has(found.mime) ? found.mime : null;
}

/** A name for URLs and file systems that ends as the type does: "../Me & you.HTML" of a PNG becomes "Me___you.HTML.png". */
export function avatarFileName(given: string, contentType: string): string {
  const base = given.split(/[/\\]/).at(-1) ?? '';
  const plain = base
    .replace(/[^a-zA-Z0-9._+-]/g, '_')
    .replace(/^\.+/, '')
    .slice(-LONGEST_NAME);
  const [usual, ...others] = ENDINGS.get(contentType) ?? ['bin'];
  const ending = /\.([^.]+)$/.exec(plain)?.[1]?.toLowerCase() ?? '';
  if ([usual, ...others].includes(ending) && plain.length > ending.length + 1) return plain;
  return `${plain === '' ? 'avatar' : plain}.${usual}`;
}

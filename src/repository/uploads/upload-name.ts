import path from 'node:path';

const LONGEST_NAME = 255;

/** What the reference's texts draw in place; everything else is a link. */
const DRAWN = new Set(
  ['png', 'jpg', 'jpeg', 'gif', 'bmp', 'tiff', 'ico', 'mp4', 'm4v', 'mov', 'webm', 'ogv'].map(
    (ending) => `.${ending}`,
  ),
);

/**
 * A name for URLs, headers and Markdown out of what a client calls its file: letters and digits of any script, and
 * ".", "-", "+", "_" and "]", never with folders. "../my file<1>.png" becomes "my_file_1_.png".
 */
export function uploadName(given: string): string {
  const base = given.split(/[/\\]/).at(-1) ?? '';
  const plain = base.normalize('NFC').replace(/[^\p{L}\p{M}\p{N}_.\-+\]]/gu, '_');
  const short = Array.from(plain).slice(-LONGEST_NAME).join('');
  if (short === '') return 'unnamed';
  return /^\.+$/.test(short) ? `_${short}` : short;
}

const isDrawn = (fileName: string): boolean => DRAWN.has(path.extname(fileName).toLowerCase());

/** The name as it stands between the brackets of a Markdown link. */
export function altText(fileName: string): string {
  const text = isDrawn(fileName) ? path.basename(fileName, path.extname(fileName)) : fileName;
  return text.replaceAll(']', '\\]');
}

/** Relative to the address of the project's page. */
export const uploadUrl = (secret: string, fileName: string): string => `/uploads/${secret}/${fileName}`;

export const markdownOf = (secret: string, fileName: string): string =>
  `${isDrawn(fileName) ? '!' : ''}[${altText(fileName)}](${uploadUrl(secret, fileName)})`;

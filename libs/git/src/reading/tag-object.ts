import type { TagObject } from '../caches/engine-caches';
import { decoderFor, splitObject } from './object-text';

/** Where a signature begins that `git tag -s` puts at the end of the message. */
const SIGNATURE_START = /^-----BEGIN (?:PGP SIGNATURE|PGP MESSAGE|SSH SIGNATURE|SIGNED MESSAGE)-----$/m;

/** Parses a raw tag object; a signature is not part of its message. */
export function parseTag(content: Buffer): TagObject {
  const { headers, message } = splitObject(content);
  const first = (name: string): string | undefined =>
    headers.find((header) => header.name === name)?.value.toString('latin1');
  const text = decoderFor(first('encoding')?.trim())(message);
  const signature = SIGNATURE_START.exec(text);
  return {
    target: first('object') ?? '',
    targetType: first('type') ?? '',
    message: signature === null ? text : text.slice(0, signature.index),
  };
}

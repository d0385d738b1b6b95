import type { Commit, Person, Sha, SignedPayload } from '../git';
import { decoderFor, lineEnd, splitObject } from './object-text';

const WHEN = /^ *(\d{1,15}) ([+-]\d{1,6})\s*$/;
/** Signature headers: the second one belongs to SHA-256 repositories; neither is part of what is signed. */
const SIGNATURE = 'gpgsig';
const SIGNATURES: readonly string[] = [SIGNATURE, 'gpgsig-sha256'];

/** Parses a raw commit object; what is damaged comes out empty rather than failing, as old histories hold such. */
export function parseCommit(sha: Sha, content: Buffer): Commit {
  const { headers, message } = splitObject(content);
  const all = (name: string): Buffer[] =>
    headers.filter((header) => header.name === name).map(({ value }) => value);
  const first = (name: string): Buffer => all(name)[0] ?? Buffer.alloc(0);
  const decode = decoderFor(all('encoding')[0]?.toString('latin1').trim());
  return {
    sha,
    tree: first('tree').toString('latin1'),
    parents: all('parent').map((value) => value.toString('latin1')),
    author: parsePerson(decode(first('author'))),
    committer: parsePerson(decode(first('committer'))),
    message: decode(message),
    hasSignature: all(SIGNATURE).length > 0,
  };
}

/**
 * "Name <email> seconds offset", leniently: the address ends at the first ">" after the first "<", the time follows
 * the last one. Found by position: a pattern could be made to backtrack by a hostile name.
 */
export function parsePerson(text: string): Person {
  const open = text.indexOf('<');
  const close = text.indexOf('>', open);
  if (open < 0 || close < 0) return { name: text.trim(), email: '', time: 0, offset: '+0000' };
  const [, time = '0', offset = '+0000'] = WHEN.exec(text.slice(text.lastIndexOf('>') + 1)) ?? [];
  return { name: text.slice(0, open).trim(), email: text.slice(open + 1, close), time: Number(time), offset };
}

/** The signature of a raw commit and the bytes it signs: the same object without its signature headers. */
export function signedPayload(content: Buffer): SignedPayload | null {
  const kept: Buffer[] = [];
  const signature: string[] = [];
  let header = '';
  let at = 0;
  while (at < content.length && content[at] !== 0x0a) {
    const next = lineEnd(content, at) + 1;
    const line = content.subarray(at, next);
    const isContinued = line[0] === 0x20;
    if (!isContinued) header = line.toString('latin1').split(/[ \n]/, 1)[0] ?? '';
    if (!SIGNATURES.includes(header)) kept.push(line);
    else if (header === SIGNATURE) {
      signature.push(line.toString('utf8', isContinued ? 1 : SIGNATURE.length + 1));
    }
    at = next;
  }
  if (signature.length === 0) return null;
  return { signature: signature.join(''), payload: Buffer.concat([...kept, content.subarray(at)]) };
}

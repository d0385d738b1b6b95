import { PathRules } from '../paths/path-rules';

const MAX_LENGTH = 100;
/** Names that are tried before giving up. */
const MOST_TRIES = 200;

/** What a directory calls somebody, as a username may look: "Jörg Müller@corp" becomes "Jorg_Muller". */
export function cleanedUsername(name: string): string {
  const [beforeAt = ''] = name.split('@');
  const plain = beforeAt.normalize('NFKD').replace(/\p{M}/gu, '').trim();
  const allowed = plain.replace(/[^a-zA-Z0-9_.-]+/g, '_').slice(0, MAX_LENGTH);
  const path = withoutMisleadingEnd(allowed.replace(/^-+/, ''));
  return PathRules.problem(path) === null ? path : 'user';
}

/** `grace`, `grace1`, `grace2`, ...: without the reserved ones. */
export function* usernames(name: string): Generator<string> {
  const first = cleanedUsername(name);
  for (let count = 0; count < MOST_TRIES; count++) {
    const candidate = count === 0 ? first : `${first}${count}`;
    if (PathRules.reservation(candidate, true) === null) yield candidate;
  }
}

function withoutMisleadingEnd(path: string): string {
  const shorter = path.replace(/(?:\.git|\.atom|\.)$/i, '');
  return shorter === path ? path : withoutMisleadingEnd(shorter);
}

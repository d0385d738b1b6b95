import { withoutCode } from '../references/without-code';

const MENTION = /(?<![\w.`/@-])@([a-z0-9_.][a-z0-9_.-]{0,254})/gi;
/** Further ones in a text are passed over. */
const MOST = 100;

/** The usernames that a text calls outside of code, in lower case; whether anybody has them is not known yet. */
export function mentionedPeople(text: string | null): string[] {
  if (text === null || !text.includes('@')) return [];
  const found = new Set<string>();
  for (const [, written] of withoutCode(text).matchAll(MENTION)) {
    // A full stop ends the sentence, not the name.
    const name = written?.replace(/[.-]+$/, '').toLowerCase() ?? '';
    if (name !== '') found.add(name);
    if (found.size >= MOST) break;
  }
  return [...found];
}

import { gemoji, type Gemoji } from 'gemoji';

const byName = new Map(gemoji.flatMap((entry) => entry.names.map((name) => [name, entry] as const)));
const bySymbol = new Map(gemoji.map((entry) => [entry.emoji, entry]));

/** Whether `:name:` stands for an emoji: `thumbsup`, `+1`, `speech_balloon`. */
export const isEmojiName = (name: string): boolean => byName.has(name);

export const emojiNamed = (name: string): Gemoji | undefined => byName.get(name);

/** By the character, or the sequence of characters, itself. */
export const emojiWritten = (symbol: string): Gemoji | undefined => bySymbol.get(symbol);

/** The name that an emoji with several is called by: `thumbsup` rather than `+1`. */
export const mainNameOf = ({ names }: Gemoji): string =>
  names.find((name) => /^[a-z0-9]/.test(name)) ?? names[0] ?? '';

/** The main name of the emoji that has the name, so that `+1` and `thumbsup` are one; null where none has it. */
export function canonicalEmojiName(name: string): string | null {
  const found = emojiNamed(name);
  return found ? mainNameOf(found) : null;
}

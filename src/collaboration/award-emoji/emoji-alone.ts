import { canonicalEmojiName } from '#libs/emoji';

const ONLY_EMOJI = /^:([\w+-]{1,100}):$/;

/** The main name of the emoji that is all a text says, ":+1:"; null for any other text. */
export function emojiAlone(text: string): string | null {
  // Looking for white space around a text of a million characters costs more than that.
  if (text.length > 200) return null;
  const [, name] = ONLY_EMOJI.exec(text.trim()) ?? [];
  return name === undefined ? null : canonicalEmojiName(name);
}

import type { Gemoji } from 'gemoji';
import { emojiNamed, emojiWritten, mainNameOf } from './emoji-names';
import { unicodeVersionOf } from './unicode-version';

/** A name between colons, which neither letters, digits nor further colons touch: `10:30:45` names none. */
const NAME = String.raw`(?<![\p{L}\p{N}:]):(?<name>[a-z0-9_+\-]{1,100}):(?![\p{L}\p{N}:])`;
/** The flag v, which knows emoji of several characters, cannot be written in a literal for our target. */
const EMOJI = new RegExp(String.raw`${NAME}|\p{RGI_Emoji}`, 'gv');

/**
 * HTML of one line of plain text: everything in it is escaped, and emoji, written as `:name:` or as characters,
 * become `<gl-emoji>` elements. Unknown names stay as they are.
 */
export function renderEmoji(text: string): string {
  const pieces: string[] = [];
  let end = 0;
  for (const match of text.matchAll(EMOJI)) {
    const name = match.groups?.['name'];
    const found = name === undefined ? emojiWritten(match[0]) : emojiNamed(name);
    if (!found) continue;
    pieces.push(escapeText(text.slice(end, match.index)), elementOf(found));
    end = match.index + match[0].length;
  }
  return [...pieces, escapeText(text.slice(end))].join('');
}

function elementOf(emoji: Gemoji): string {
  const title = escapeAttribute(emoji.description);
  const version = unicodeVersionOf(emoji.emoji);
  return `<gl-emoji title="${title}" data-name="${mainNameOf(emoji)}" data-unicode-version="${version}">${emoji.emoji}</gl-emoji>`;
}

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const escapeAttribute = (text: string): string => escapeText(text).replaceAll('"', '&quot;');

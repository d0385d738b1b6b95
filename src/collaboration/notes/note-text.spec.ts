import { DomainError } from '#libs/errors';
import { requireNoteText } from './note-text';

const MILLION = 1_000_000;

it.each(['x', ' x ', '​', 'x'.repeat(MILLION), '😀'.repeat(MILLION), '\u{1F600}x'])(
  'takes a text',
  (text) => {
    expect(() => requireNoteText(text)).not.toThrow();
  },
);

it.each([
  '',
  ' ',
  '\n\t',
  '\u3000',
  'x'.repeat(MILLION + 1),
  '😀'.repeat(MILLION) + 'x',
  'x'.repeat(3 * MILLION),
])('refuses what is blank or too long', (text) => {
  expect(() => requireNoteText(text)).toThrow(DomainError);
});

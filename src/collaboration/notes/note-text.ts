import { invalid } from '#libs/errors';

/** In characters, of which an emoji may take two UTF-16 units (specification, Limits). */
const LONGEST = 1_000_000;

/** Throws `validation` for a text that is blank or too long. */
export function requireNoteText(body: string): void {
  if (isBlank(body)) throw invalid({ note: ["can't be blank"] });
  if (charactersOf(body) > LONGEST)
    throw invalid({ note: [`is too long (maximum is ${LONGEST} characters)`] });
}

const isBlank = (text: string): boolean => !/\S/.test(text);

function charactersOf(text: string): number {
  if (text.length <= LONGEST || text.length > 2 * LONGEST) return text.length;
  let characters = 0;
  for (let index = 0; index < text.length; index += isPair(text, index) ? 2 : 1) characters += 1;
  return characters;
}

const isPair = (text: string, index: number): boolean => (text.codePointAt(index) ?? 0) > 0xffff;

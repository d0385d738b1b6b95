import { invalid, type ValidationErrors } from '#libs/errors';
import { CSS_COLORS } from './css-colors';

/** Of labels that come to be by being named. */
export const DEFAULT_COLOR = '#428BCA';

const LONGEST_TITLE = 255;
const COLOR = /^#(?:[0-9a-f]{3}){1,2}$/i;

/** What people choose about a label. */
export interface LabelText {
  readonly title: string;
  readonly color: string;
  readonly description: string | null;
}

/** What a colour that may be a name of CSS is in hexadecimal notation; anything else is left as it is. */
export function hexColor(color: string): string {
  const written = color.trim();
  return CSS_COLORS.get(written.toLowerCase()) ?? written;
}

/** Sentences about a title that no label may have; empty for a good one. A comma separates titles in parameters. */
export function titleProblems(title: string): string[] {
  if (title === '') return ["can't be blank"];
  if (title.includes(',')) return ['is invalid'];
  // As PostgreSQL and the reference count: characters, not UTF-16 units.
  return Array.from(title).length > LONGEST_TITLE
    ? [`is too long (maximum is ${LONGEST_TITLE} characters)`]
    : [];
}

/** Throws `validation` for what no label may be. */
export function refuseInvalidLabel({ title, color }: LabelText): void {
  const errors: ValidationErrors = {};
  const problems = titleProblems(title);
  if (problems.length > 0) errors['title'] = problems;
  if (!COLOR.test(color)) errors['color'] = ['must be a valid color code'];
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

/** The colour of letters that can be read on the background. */
export function textColorOn(color: string): '#333333' | '#FFFFFF' {
  const digits = color.slice(1);
  const width = digits.length === 3 ? 1 : 2;
  const channel = (index: number): number => {
    const piece = digits.slice(index * width, (index + 1) * width);
    return Number.parseInt(width === 1 ? piece.repeat(2) : piece, 16);
  };
  return channel(0) + channel(1) + channel(2) > 500 ? '#333333' : '#FFFFFF';
}

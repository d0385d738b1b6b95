import { invalid, type ValidationErrors } from '#libs/errors';

const LONGEST_TITLE = 255;
const LONGEST_DESCRIPTION = 1024 * 1024;
const LARGEST_WEIGHT = 2_147_483_647;

interface Written {
  readonly title?: string | undefined;
  readonly description?: string | null | undefined;
  readonly weight?: number | null | undefined;
}

/** Throws `validation` for what no issue may have; what is not given is not looked at, nor are blanks around a title. */
export function requireValid({ title: written, description, weight }: Written): void {
  const errors: ValidationErrors = {};
  const title = written?.trim();
  if (title === '') errors['title'] = ["can't be blank"];
  else if (title !== undefined && isLonger(title, LONGEST_TITLE)) errors['title'] = [tooLong(LONGEST_TITLE)];
  if (isLonger(description ?? '', LONGEST_DESCRIPTION))
    errors['description'] = [tooLong(LONGEST_DESCRIPTION)];
  if (typeof weight === 'number' && weight < 0) errors['weight'] = ['must be greater than or equal to 0'];
  if (typeof weight === 'number' && weight > LARGEST_WEIGHT)
    errors['weight'] = [`must be less than or equal to ${LARGEST_WEIGHT}`];
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

const tooLong = (most: number): string => `is too long (maximum is ${most} characters)`;

/** Counts characters, of which the longest have two units; a text of few units needs no count. */
const isLonger = (text: string, most: number): boolean =>
  text.length > most && Array.from(text.slice(0, 2 * most + 1)).length > most;

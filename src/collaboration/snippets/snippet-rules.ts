import { invalid, type ValidationErrors } from '#libs/errors';
import type { SnippetChanges } from './snippets.repository';

const LONGEST_NAME = 255;
const MOST_CONTENT = 10 * 1024 * 1024;

/** Throws `validation` for columns that no snippet may have. What is not given is not looked at. */
export function refuseInvalid({ title, fileName, content }: SnippetChanges): void {
  const errors: ValidationErrors = {};
  if (title?.trim() === '') errors['title'] = ["can't be blank"];
  else if (title !== undefined && lengthOf(title) > LONGEST_NAME) errors['title'] = [tooLong];
  if (fileName !== undefined && lengthOf(fileName) > LONGEST_NAME) errors['file_name'] = [tooLong];
  if (content !== undefined && Buffer.byteLength(content) > MOST_CONTENT)
    errors['content'] = [`is too long (maximum is ${MOST_CONTENT} bytes)`];
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

const tooLong = `is too long (maximum is ${LONGEST_NAME} characters)`;

/** In characters as people count them: an emoji is one. */
const lengthOf = (text: string): number => Array.from(text).length;

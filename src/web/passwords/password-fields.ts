import { fieldProblems } from '../pages/form-problems';
import type { Problem } from '../pages/page-answer';
import { field } from '../rendering/field';
import type { Html } from '../rendering/html';

type Name = 'current_password' | 'password' | 'password_confirmation';

export const passwordField = (
  name: Name,
  label: string,
  autocomplete: 'current-password' | 'new-password',
  problems: readonly Problem[],
  hint = '',
): Html =>
  field({ id: `user_${name}`, name: `user[${name}]`, label, type: 'password', autocomplete, hint }, problems);

export const newPasswordFields = (problems: readonly Problem[]): readonly Html[] => [
  passwordField('password', 'New password', 'new-password', problems, 'At least 8 characters.'),
  passwordField('password_confirmation', 'New password, once more', 'new-password', problems),
];

const LABELS: Readonly<Record<string, string>> = {
  current_password: 'The current password',
  password: 'The new password',
  password_confirmation: 'The repeated password',
};

/** What a refused password form has to say; what is no refusal of a form is thrown on. */
export const passwordProblems = (error: unknown): Problem[] => fieldProblems(error, 'user', LABELS);

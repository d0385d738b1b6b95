import type { Problem } from '../pages/page-answer';
import { field } from '../rendering/field';
import type { Html } from '../rendering/html';

export const emailField = (problems: readonly Problem[]): Html =>
  field(
    { id: 'user_email', name: 'user[email]', label: 'Email', type: 'email', autocomplete: 'email' },
    problems,
  );

/** Whether mail could go there is told by nothing but mail: this only catches slips. */
export const emailProblems = (email: string): Problem[] =>
  /^[^@\s]{1,64}@[^@\s]{1,253}$/.test(email)
    ? []
    : [{ field: 'user_email', text: 'Enter an email address.' }];

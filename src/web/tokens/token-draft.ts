import type { Form } from '../pages/form';
import { fieldProblems } from '../pages/form-problems';
import type { Problem } from '../pages/page-answer';
import type { TokenDraft } from './tokens.page';

export const EMPTY_DRAFT: TokenDraft = { name: '', expiresAt: '', scopes: [] };

export function draftOf(form: Form): TokenDraft {
  const token = form.inside('personal_access_token');
  return {
    name: token.text('name').trim(),
    expiresAt: token.text('expires_at').trim(),
    scopes: token.texts('scopes'),
  };
}

const expiryProblem = (text: string): Problem => ({ field: 'personal_access_token_expires_at', text });

/** `today` as YYYY-MM-DD. A token that expires today never works: its day begins at midnight. */
export function expiryProblems({ expiresAt }: TokenDraft, today: string): Problem[] {
  if (expiresAt === '') return [];
  const moment = /^\d{4}-\d{2}-\d{2}$/.test(expiresAt) ? new Date(`${expiresAt}T00:00:00Z`) : null;
  // JavaScript takes the 30th of February for a day in March.
  if (!moment || Number.isNaN(moment.getTime()) || !moment.toISOString().startsWith(expiresAt))
    return [expiryProblem('Enter the expiry as a date.')];
  return expiresAt > today ? [] : [expiryProblem('The expiry must lie in the future.')];
}

const LABELS: Readonly<Record<string, string>> = { name: 'The name', scopes: 'The scopes' };

/** What the rules for tokens refuse; what is no refusal of a form is thrown on. */
export const tokenProblems = (error: unknown): Problem[] =>
  fieldProblems(error, 'personal_access_token', LABELS);

import { DomainError } from '#libs/errors';
import type { ApplicationDetails, OAuthApplication } from '../../identity/identity.api';
import type { Form } from '../pages/form';
import { fieldProblems } from '../pages/form-problems';
import type { Problem } from '../pages/page-answer';

/** What the form was filled in with, to be shown again where something about it is wrong. */
export interface ApplicationDraft {
  readonly name: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly confidential: boolean;
}

export const EMPTY_DRAFT: ApplicationDraft = { name: '', redirectUri: '', scopes: [], confidential: true };

export function draftOf(form: Form): ApplicationDraft {
  const application = form.inside('application');
  return {
    name: application.text('name').trim(),
    redirectUri: application.text('redirect_uri').trim(),
    scopes: application.texts('scopes'),
    confidential: application.isChecked('confidential'),
  };
}

export const draftOfApplication = (of: OAuthApplication): ApplicationDraft => ({
  name: of.name,
  redirectUri: of.redirectUris.join('\n'),
  scopes: of.scopes,
  confidential: of.confidential,
});

export const detailsOf = (draft: ApplicationDraft): ApplicationDetails => ({
  ...draft,
  scopes: draft.scopes.join(' '),
});

const LABELS: Readonly<Record<string, string>> = {
  name: 'The name',
  redirect_uri: 'A redirect URI',
  scopes: 'The scopes',
};

/** What the rules for applications refuse; what is no refusal of a form is thrown on. */
export function applicationProblems(error: unknown): Problem[] {
  if (error instanceof DomainError && error.detail.kind === 'bad_request')
    return [{ field: '', text: error.detail.message }];
  return fieldProblems(error, 'application', LABELS);
}

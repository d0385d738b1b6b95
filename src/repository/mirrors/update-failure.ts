import { DomainError } from '#libs/errors';
import { GitProcessError, RemoteError, type RemoteProblem } from '#libs/git';
import { OutboundError } from '#libs/outbound';

/** An update came to nothing, or not to all it should; the message is for the users of the project. */
export class UpdateFailure extends Error {}

/** Somebody has changed the remote, or the project is gone, since the update began: nobody is told anything. */
export class OutdatedUpdate extends Error {}

const SENTENCES: Readonly<Record<RemoteProblem, string>> = {
  unreachable: 'The server of the import URL could not be reached.',
  certificate: 'The certificate of the import URL could not be verified.',
  authentication: 'The server of the import URL refused the credentials, or asks for some.',
  missing: 'There is no repository at the import URL.',
  redirect: 'The import URL leads to another place; please use the URL of that.',
  too_slow: 'The server of the import URL took too long.',
  too_large: 'The repository at the import URL is too large.',
  protocol: 'There is no git repository that could be read at the import URL.',
};

/** What is told of an error; null for one that nobody foresaw. Nothing of what the other side sent is in it. */
export function sentenceOf(error: unknown): string | null {
  if (error instanceof UpdateFailure) return error.message;
  if (error instanceof RemoteError) return SENTENCES[error.problem];
  if (error instanceof OutboundError)
    return error.problem.kind === 'refused' ? `${error.message}.` : SENTENCES.unreachable;
  // The objects did not pass the test that every push has to pass.
  if (error instanceof GitProcessError)
    return 'The repository at the import URL has objects that are not valid.';
  if (error instanceof DomainError && error.detail.kind === 'unavailable') return `${error.detail.message}.`;
  return null;
}

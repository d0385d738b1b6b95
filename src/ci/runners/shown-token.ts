import { forbidden } from '#libs/errors';

/** What a runner's call says of itself. */
interface RunnerCall {
  readonly params: { readonly token?: string | undefined };
  readonly header: (name: string) => string | undefined;
}

/** The token of a job as a runner shows it: a parameter, or a header. Throws 403 without one. */
export function shownToken({ params, header }: RunnerCall): string {
  const token = params.token || header('job-token');
  if (!token) throw forbidden();
  return token;
}

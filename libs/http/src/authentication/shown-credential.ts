import type { Request } from 'express';
import { SESSION_COOKIE } from './strategies';

const HEADERS = ['authorization', 'private-token', 'job-token'] as const;
const PARAMETERS = ['private_token', 'access_token', 'job_token'] as const;

/** Whether a request shows something like a credential, good or bad, in its headers or its query. */
export function showsCredential({ headers, parameters }: Pick<Request, 'headers' | 'parameters'>): boolean {
  if (HEADERS.some((name) => (headers[name] ?? '') !== '')) return true;
  if (headers.cookie?.includes(`${SESSION_COOKIE}=`) === true) return true;
  return PARAMETERS.some((name) => (parameters?.[name] ?? '') !== '');
}

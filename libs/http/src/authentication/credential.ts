/** Something a caller showed to say who they are. The secret lives no longer than the request and is never logged. */
export interface Credential {
  readonly kind: 'token' | 'session' | 'job_token';
  readonly secret: string;
}

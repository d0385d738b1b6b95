export const SCOPES = [
  'api',
  'read_api',
  'read_user',
  'read_repository',
  'write_repository',
  'sudo',
] as const;
export type Scope = (typeof SCOPES)[number];

/** Scopes any one of which opens an endpoint; `api` opens everything and `read_api` every read. */
export function sufficientScopes(named: readonly Scope[], isRead: boolean): readonly Scope[] {
  return [...new Set<Scope>(['api', ...(isRead ? (['read_api'] as const) : []), ...named])];
}

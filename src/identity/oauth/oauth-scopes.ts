import { SCOPES, type Scope } from '#libs/access';

const isScope = (text: string): text is Scope => SCOPES.some((scope) => scope === text);

/** Words between spaces or commas, each once; null when one of them is no scope. */
export function scopesOf(text: string): Scope[] | null {
  const words = [...new Set(text.split(/[\s,]+/).filter((word) => word !== ''))];
  const scopes = words.filter(isScope);
  return scopes.length === words.length ? scopes : null;
}

/** Whom a token would act for, as far as scopes matter. */
export interface ScopeHolder {
  readonly isAdmin: boolean;
}

/**
 * The scopes of a new grant: those asked for, `api` by default and where the client is not allowed it all that it is
 * allowed. Null when some are unknown, beyond the client's (`allowed`; null for no limit), or not for this person.
 */
export function grantableScopes(
  asked: readonly string[] | undefined,
  allowed: readonly string[] | null,
  holder: ScopeHolder | null,
): Scope[] | null {
  const wanted = asked && asked.length > 0 ? [...new Set(asked)] : byDefault(allowed);
  const granted = wanted.filter(isScope);
  if (granted.length !== wanted.length || granted.length === 0) return null;
  if (allowed && !granted.every((scope) => allowed.includes(scope))) return null;
  // An application that acts for itself is no administrator either.
  if (granted.includes('sudo') && holder?.isAdmin !== true) return null;
  return granted;
}

const byDefault = (allowed: readonly string[] | null): readonly string[] =>
  allowed === null || allowed.includes('api') ? ['api'] : allowed;

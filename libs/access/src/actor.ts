import { DomainError, unauthenticated } from '#libs/errors';
import type { Scope } from './scopes';

/** What the rules and the services need to know of the account that calls. */
export interface ActorUser {
  readonly id: number;
  readonly username: string;
  readonly name: string;
  readonly email: string;
  readonly isAdmin: boolean;
  /** External users see internal projects and groups as private ones. */
  readonly isExternal: boolean;
  readonly canCreateGroup: boolean;
  readonly projectsLimit: number;
}

export type CredentialKind = 'none' | 'token' | 'session' | 'job_token' | 'password';

/** Who calls, and how far they may go in the subject of this call. */
export interface Actor {
  /** Null for an anonymous caller. */
  readonly user: ActorUser | null;
  /** Membership level in the project or group of the path; 0 outside it. Administrators are not members by being so. */
  readonly level: number;
  readonly credential: CredentialKind;
  readonly scopes: readonly Scope[];
}

export const ANONYMOUS: Actor = { user: null, level: 0, credential: 'none', scopes: [] };

/** The signed-in user behind a call. Throws the unauthenticated error for an anonymous one. */
export function signedIn(actor: Actor): ActorUser {
  if (!actor.user) throw unauthenticated();
  return actor.user;
}

export const isAdmin = (actor: Actor): boolean => actor.user?.isAdmin ?? false;

/** Throws 401 for anonymous callers and 403 for everybody else who is no administrator. */
export function requireAdmin(actor: Actor): ActorUser {
  const user = signedIn(actor);
  if (!user.isAdmin) throw new DomainError({ kind: 'forbidden' });
  return user;
}

import type { ActorUser, CredentialKind, Scope } from '#libs/access';
import type { SubjectOf } from '../endpoint/call';
import type { Credential } from './credential';

/** What a path says of its project or group: a number, or a full path in any letter case. */
export type SubjectReference =
  | { readonly kind: 'project'; readonly id: number | string }
  | { readonly kind: 'group'; readonly id: number | string };

export type CallerReference =
  | { readonly by: 'credential'; readonly credential: Credential }
  /** The target of a sudo: user id or username. */
  | { readonly by: 'name'; readonly idOrUsername: string };

/** The account behind a credential, found whatever its condition: the guard decides what that means. */
export interface Account {
  readonly user: ActorUser;
  readonly isBlocked: boolean;
  /** Asleep since nobody has used it for long: signing in by a page wakes it up. */
  readonly isDeactivated: boolean;
  /** The password has expired: until it is changed the user's sessions serve for nothing else. */
  readonly mustChangePassword: boolean;
  readonly credential: Exclude<CredentialKind, 'none'>;
  readonly scopes: readonly Scope[];
  readonly isExpired: boolean;
  readonly isRevoked: boolean;
  /** The token was made by an administrator to act as this user. */
  readonly isImpersonation: boolean;
  /** Digest of the token that a session's writing requests must show; null for other credentials. */
  readonly csrfToken: string | null;
}

export interface Resolution {
  /** Null for an unknown credential or name. */
  readonly account: Account | null;
  /** The caller's level in the subject; 0 outside it. */
  readonly level: number;
  /** Null when there is no such project or group, or none was asked for. */
  readonly project: SubjectOf<'project'> | null;
  readonly group: SubjectOf<'group'> | null;
}

/** Finds caller, subject and access level together, in one round trip to the database. */
export abstract class CallerResolver {
  abstract resolve(caller: CallerReference | null, subject: SubjectReference | null): Promise<Resolution>;
}

import { isAdmin, Level, type Actor } from '#libs/access';
import { forbidden, invalid, type ValidationErrors } from '#libs/errors';
import { managerLevel, type MemberSource } from './member-source';

interface WantedMembership {
  readonly accessLevel: number;
  /** YYYY-MM-DD. */
  readonly expiresAt: string | null;
  /** What the user has from above the source. */
  readonly inherited: { readonly accessLevel: number; readonly groupName: string } | null;
}

const NAMES = new Map<number, string>([
  [Level.guest, 'Guest'],
  [Level.reporter, 'Reporter'],
  [Level.developer, 'Developer'],
  [Level.maintainer, 'Maintainer'],
  [Level.owner, 'Owner'],
]);

export const mayManageMembers = (actor: Actor, source: MemberSource): boolean =>
  isAdmin(actor) || actor.level >= managerLevel(source);

/** Nobody grants, changes or takes away more than they have themselves. Throws 403. */
export function refuseAboveOwnLevel(actor: Actor, ...levels: readonly number[]): void {
  if (!isAdmin(actor) && Math.max(...levels) > actor.level) throw forbidden();
}

/** Throws the specification's body 2. `today` is YYYY-MM-DD. */
export function refuseInvalidMembership(source: MemberSource, wanted: WantedMembership, today: string): void {
  const errors: ValidationErrors = {};
  const level = levelProblem(source, wanted);
  if (level !== null) errors['access_level'] = [level];
  if (wanted.expiresAt !== null && wanted.expiresAt < today)
    errors['expires_at'] = ['cannot be a date in the past'];
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

function levelProblem(source: MemberSource, { accessLevel, inherited }: WantedMembership): string | null {
  if (source.kind === 'project' && accessLevel > Level.maintainer) return 'is not included in the list';
  if (!inherited || accessLevel >= inherited.accessLevel) return null;
  const name = NAMES.get(inherited.accessLevel) ?? String(inherited.accessLevel);
  return `should be higher than ${name} inherited membership from group ${inherited.groupName}`;
}

import { forbidden } from '#libs/errors';

/** Throws 403 where nobody but the user can administer the service. */
export function refuseLastAdministrator(userId: number, administratorIds: readonly number[]): void {
  if (administratorIds.length === 1 && administratorIds[0] === userId)
    throw forbidden('The last administrator must remain one');
}

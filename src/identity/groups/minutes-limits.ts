import { isAdmin, type Actor } from '#libs/access';
import { forbidden } from '#libs/errors';
import type { License } from '#libs/tiers';

interface Wished {
  readonly shared_runners_minutes_limit?: number | null | undefined;
  readonly extra_shared_runners_minutes_limit?: number | null | undefined;
}

/** Minutes a month on shared runners; null is the installation's own limit. */
export interface MinutesLimits {
  readonly sharedRunnersMinutesLimit: number | null;
  readonly extraSharedRunnersMinutesLimit: number | null;
}

const NO_LIMITS: MinutesLimits = { sharedRunnersMinutesLimit: null, extraSharedRunnersMinutesLimit: null };
const NOT_HERE = 'is not supported for this namespace';

/**
 * The limits that the parameters change. They pass without effect where they are not licensed. Throws 403 where
 * somebody else than an administrator would change one.
 */
export function changedLimits(
  actor: Actor,
  license: License,
  wished: Wished,
  current: MinutesLimits = NO_LIMITS,
): Partial<MinutesLimits> {
  if (!license.has('shared_runner_minutes')) return {};
  const {
    shared_runners_minutes_limit: limit = current.sharedRunnersMinutesLimit,
    extra_shared_runners_minutes_limit: extra = current.extraSharedRunnersMinutesLimit,
  } = wished;
  const changed = {
    ...(limit !== current.sharedRunnersMinutesLimit && { sharedRunnersMinutesLimit: limit }),
    ...(extra !== current.extraSharedRunnersMinutesLimit && { extraSharedRunnersMinutesLimit: extra }),
  };
  if (Object.keys(changed).length > 0 && !isAdmin(actor)) throw forbidden();
  return changed;
}

/** Minutes are counted for the topmost group, so a group below has no limits of its own. */
export const limitProblems = (changed: Partial<MinutesLimits>, isInside: boolean) => ({
  shared_runners_minutes_limit: isInside && 'sharedRunnersMinutesLimit' in changed ? NOT_HERE : null,
  extra_shared_runners_minutes_limit:
    isInside && 'extraSharedRunnersMinutesLimit' in changed ? NOT_HERE : null,
});

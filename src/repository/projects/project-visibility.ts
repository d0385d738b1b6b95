import { exceedsVisibility, type VisibleFacts, type Visibility } from '#libs/access';
import type { ValidationErrors } from '#libs/errors';

/** The visibility that is wanted, as far as the limit allows it. */
export const withinVisibility = (wanted: Visibility, limit: Visibility): Visibility =>
  exceedsVisibility(wanted, limit) ? limit : wanted;

/** A fork shows itself to nobody who may not see its source; `source` is null for a project that is no fork. */
export const forkVisibilityErrors = (visibility: Visibility, source: Visibility | null): ValidationErrors =>
  source && exceedsVisibility(visibility, source)
    ? {
        visibility_level: [
          `${visibility} is not allowed since the fork source project has lower visibility.`,
        ],
      }
    : {};

/** A project shows itself to nobody who may not see its group; `group` is null for a personal project. */
export const visibilityErrors = (visibility: Visibility, group: VisibleFacts | null): ValidationErrors =>
  group && exceedsVisibility(visibility, group.visibility)
    ? { visibility_level: [`${visibility} is not allowed in a ${group.visibility} group.`] }
    : {};

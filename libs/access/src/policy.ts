import { isAdmin, type Actor } from './actor';
import { Level, type LevelName, type Visibility } from './levels';

/** A rule over who calls and what is called upon: true grants. */
export type Policy<Facts> = (actor: Actor, facts: Facts) => boolean;

/** Both sides of a rule over subjects that show themselves by visibility. */
export interface VisibleFacts {
  readonly visibility: Visibility;
}

export type FeatureAccess = 'disabled' | 'private' | 'enabled';

/** The facts about a project that rules are made of. */
export interface ProjectFacts extends VisibleFacts {
  readonly archived: boolean;
  readonly publicJobs: boolean;
  readonly repositoryAccess: FeatureAccess;
  readonly issuesAccess: FeatureAccess;
  readonly mergeRequestsAccess: FeatureAccess;
  readonly snippetsAccess: FeatureAccess;
  readonly jobsAccess: FeatureAccess;
  readonly wikiAccess: FeatureAccess;
}

export const both =
  <F>(...rules: Policy<F>[]): Policy<F> =>
  (actor, facts) =>
    rules.every((rule) => rule(actor, facts));

export const either =
  <F>(...rules: Policy<F>[]): Policy<F> =>
  (actor, facts) =>
    rules.some((rule) => rule(actor, facts));

export const signedInUser: Policy<unknown> = (actor) => actor.user !== null;

export const administrator: Policy<unknown> = (actor) => isAdmin(actor);

/** Members at or above a level, and administrators. */
export const atLeast = (level: LevelName): Policy<unknown> =>
  either(administrator, (actor) => actor.level >= Level[level]);

/** Shown to the caller by its visibility alone, membership aside. External users see internal as private. */
export const openToCaller: Policy<VisibleFacts> = (actor, { visibility }) =>
  visibility === 'public' || (visibility === 'internal' && actor.user !== null && !actor.user.isExternal);

/** The caller may know that this exists. */
export const visible: Policy<VisibleFacts> = either(openToCaller, atLeast('guest'));

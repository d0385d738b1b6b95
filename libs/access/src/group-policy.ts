import { atLeast, both, either, visible, type Policy, type VisibleFacts } from './policy';

/** The facts about a group that rules are made of. */
export interface GroupFacts extends VisibleFacts {
  /** The caller sees at least one project inside, which shows the group too. */
  readonly hasVisibleProject: boolean;
}

/** Abilities over a group; the access matrix of the reference, row by row. */
export const GROUP_POLICY = {
  reader: either<GroupFacts>(visible, (_actor, group) => group.hasVisibleProject),
  reporter: both(visible, atLeast('reporter')),
  developer: both(visible, atLeast('developer')),
  maintainer: both(visible, atLeast('maintainer')),
  owner: both(visible, atLeast('owner')),
} satisfies Record<string, Policy<GroupFacts>>;

export type GroupAbility = keyof typeof GROUP_POLICY;

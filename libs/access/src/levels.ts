/** Membership levels. `none` is no membership; administrators stand outside this scale. */
export const Level = { none: 0, guest: 10, reporter: 20, developer: 30, maintainer: 40, owner: 50 } as const;
export type LevelName = keyof typeof Level;

/** Levels a member can be given. */
export const MEMBER_LEVELS = [10, 20, 30, 40, 50] as const;

export const VISIBILITIES = ['private', 'internal', 'public'] as const;
export type Visibility = (typeof VISIBILITIES)[number];

/** True where `inner` shows itself to more people than `outer` allows. */
export const exceedsVisibility = (inner: Visibility, outer: Visibility): boolean =>
  VISIBILITIES.indexOf(inner) > VISIBILITIES.indexOf(outer);

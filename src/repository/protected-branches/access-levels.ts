import { Level } from '#libs/access';

/** Above all members: administrators of the service alone. */
const ADMINISTRATORS = 60;

/** The levels that a rule on a branch can ask for. */
export const ACCESS_LEVELS = [Level.none, Level.developer, Level.maintainer, ADMINISTRATORS] as const;
export type AccessLevel = (typeof ACCESS_LEVELS)[number];

/** Levels that the licence must have. */
export const isLicensed = (level: number): boolean => level === ADMINISTRATORS;

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  [Level.none]: 'No one',
  [Level.developer]: 'Developers + Maintainers',
  [Level.maintainer]: 'Maintainers',
  [ADMINISTRATORS]: 'Instance admins',
};

export const describeLevel = (level: number | null): string =>
  level === null ? '' : (DESCRIPTIONS[level] ?? '');

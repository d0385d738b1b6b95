import { exceedsVisibility, type Visibility } from '#libs/access';
import { invalid, type ValidationErrors } from '#libs/errors';
import type { Namespace } from '../namespaces/namespace.entity';
import { PathRules } from '../paths/path-rules';

const MAX_LENGTH = 255;
/** Deeper than anybody nests groups; without an end, full names in lists, and checks of access, would have none either. */
const MAX_DEPTH = 100;
/** With a project's path behind it a full path still has to fit into an entry of the index of routes. */
export const MAX_FULL_PATH = 2_000;

export const TAKEN = 'has already been taken';

const tooLong = (max: number): string => `is too long (maximum is ${max} characters)`;

/** What is to be said of a group; what is not given is not to be judged. */
export interface GroupPlan {
  readonly name?: string | undefined;
  readonly path?: string | undefined;
  readonly description?: string | undefined;
  readonly visibility?: Visibility | undefined;
}

/** What of a plan is the same as something that is there already. */
export interface Clashes {
  readonly name: boolean;
  readonly path: boolean;
}

type Problems = Readonly<Record<string, string | null>>;

/** Throws the specification's body 2 with all the problems, if there are any. */
export function refuse(...found: readonly Problems[]): void {
  const errors: ValidationErrors = {};
  for (const [field, problem] of found.flatMap((problems) => Object.entries(problems)))
    if (problem !== null) errors[field] = [problem];
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

/** What is wrong with the plan for a group below `parent`. */
export function problemsOf(plan: GroupPlan, parent: Namespace | null, clashes: Clashes): Problems {
  return {
    name: problemWith(plan.name, nameProblem, clashes.name),
    path: problemWith(plan.path, (path) => pathProblem(path, parent), clashes.path),
    description: problemWith(plan.description, lengthProblem, false),
    visibility_level: problemWith(plan.visibility, (visibility) => aboveParent(visibility, parent), false),
  };
}

/** What is wrong with the place of a new group. */
export const placeProblems = (parent: Namespace | null): Problems => ({
  parent_id: parent && parent.traversalIds.length >= MAX_DEPTH ? 'has too deep level of nesting' : null,
});

export const fullPathProblem = (longest: number): string | null =>
  longest > MAX_FULL_PATH ? `makes a full path that ${tooLong(MAX_FULL_PATH)}` : null;

/** What is inside of the group must not show itself to more people than the group does. */
export function belowContents(
  visibility: Visibility,
  inside: { readonly projects: Visibility | null; readonly groups: Visibility | null },
): string | null {
  if (inside.projects && exceedsVisibility(inside.projects, visibility))
    return `${visibility} is not allowed since this group contains projects with higher visibility.`;
  return inside.groups && exceedsVisibility(inside.groups, visibility)
    ? `${visibility} is not allowed since there are sub-groups with higher visibility.`
    : null;
}

function problemWith<T>(
  value: T | undefined,
  judge: (value: T) => string | null,
  clashes: boolean,
): string | null {
  if (value === undefined) return null;
  return judge(value) ?? (clashes ? TAKEN : null);
}

const lengthProblem = (text: string): string | null =>
  text.length > MAX_LENGTH ? tooLong(MAX_LENGTH) : null;

const nameProblem = (name: string): string | null =>
  name.trim() === '' ? "can't be blank" : lengthProblem(name);

function pathProblem(path: string, parent: Namespace | null): string | null {
  const length = parent ? parent.fullPath.length + 1 + path.length : path.length;
  return PathRules.problem(path) ?? PathRules.reservation(path, parent === null) ?? fullPathProblem(length);
}

function aboveParent(visibility: Visibility, parent: Namespace | null): string | null {
  if (!parent || !exceedsVisibility(visibility, parent.visibility)) return null;
  return `${visibility} is not allowed since the parent group has a ${parent.visibility} visibility.`;
}

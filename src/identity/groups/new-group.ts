import { exceedsVisibility, type Visibility } from '#libs/access';
import { invalid, type ValidationErrors } from '#libs/errors';
import type { Namespace } from '../namespaces/namespace.entity';
import { PathRules } from '../paths/path-rules';

const MAX_LENGTH = 255;
/** Groups may nest this deep. Every check of access looks at all ancestors. */
const MAX_DEPTH = 20;

export const TAKEN = 'has already been taken';

export interface NewGroup {
  readonly name: string;
  readonly path: string;
  readonly description: string;
  readonly visibility: Visibility;
}

/** What of a new group is the same as something that is there already. */
export interface Clashes {
  readonly name: boolean;
  readonly path: boolean;
}

/** Throws the specification's body 2 with everything that is wrong with a group that is to be created. */
export function refuseInvalidGroup(group: NewGroup, parent: Namespace | null, clashes: Clashes): void {
  const problems: Record<string, string | null> = {
    name: nameProblem(group.name) ?? (clashes.name ? TAKEN : null),
    path: pathProblem(group.path, parent) ?? (clashes.path ? TAKEN : null),
    description: group.description.length > MAX_LENGTH ? tooLong : null,
    visibility_level: visibilityProblem(group.visibility, parent),
    parent_id: parent && parent.traversalIds.length >= MAX_DEPTH ? 'has too deep level of nesting' : null,
  };
  const errors: ValidationErrors = {};
  for (const [field, problem] of Object.entries(problems)) if (problem !== null) errors[field] = [problem];
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

const tooLong = `is too long (maximum is ${MAX_LENGTH} characters)`;

function nameProblem(name: string): string | null {
  if (name.trim() === '') return "can't be blank";
  return name.length > MAX_LENGTH ? tooLong : null;
}

const pathProblem = (path: string, parent: Namespace | null): string | null =>
  PathRules.problem(path) ?? PathRules.reservation(path, parent === null);

function visibilityProblem(visibility: Visibility, parent: Namespace | null): string | null {
  if (!parent || !exceedsVisibility(visibility, parent.visibility)) return null;
  return `${visibility} is not allowed since the parent group has a ${parent.visibility} visibility.`;
}

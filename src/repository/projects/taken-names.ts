import { uniqueViolation } from '#libs/database';
import { invalid, type ValidationErrors } from '#libs/errors';
import type { ProjectsRepository } from './projects.repository';

type Taken = Awaited<ReturnType<ProjectsRepository['taken']>>;

const SENTENCE = 'has already been taken';

/** What is said of names that are taken; empty where none is. */
export const takenErrors = ({ name, path }: Taken): ValidationErrors => ({
  ...(name && { name: [SENTENCE] }),
  ...(path && { path: [SENTENCE] }),
});

/** The refusal of names that another project has, or had when the cause came up; any other cause as it is. */
export function takenError(found: Taken, cause: unknown): unknown {
  const taken = found.name || found.path ? found : takenAtTheTime(cause);
  return taken.name || taken.path ? invalid(takenErrors(taken)) : cause;
}

/** Who had the name may be gone by now; the index that refused tells which it was. */
function takenAtTheTime(cause: unknown): Taken {
  const index = uniqueViolation(cause);
  return { name: index === 'projects_name', path: index === 'projects_path' || index === 'routes_path' };
}

/** Throws where one of the names is taken; `exceptId` is the project that is being renamed. */
export async function requireFreeNames(
  projects: ProjectsRepository,
  namespaceId: number,
  names: { name?: string | undefined; path?: string | undefined },
  exceptId: number | null,
): Promise<void> {
  const taken = await projects.taken(namespaceId, names, exceptId);
  if (taken.name || taken.path) throw takenError(taken, null);
}

import { invalid } from '#libs/errors';
import type { ProjectsRepository } from './projects.repository';

type Taken = Awaited<ReturnType<ProjectsRepository['taken']>>;

const SENTENCE = 'has already been taken';

/** The refusal of names that another project has; the cause itself where none is taken any more. */
export function takenError({ name, path }: Taken, cause: unknown): unknown {
  if (!name && !path) return cause;
  return invalid({ ...(name && { name: [SENTENCE] }), ...(path && { path: [SENTENCE] }) });
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

import { both, Level, PROJECT_POLICY, type Actor } from '#libs/access';
import type { Project } from '../../repository/repository.api';

/**
 * What the caller may do with notes on something of the project. In an archived project nobody writes, in a locked
 * discussion members alone: not even administrators who are none.
 */
export function rightsIn(project: Project, actor: Actor, isLocked: boolean) {
  const isOpen = !project.archived && (!isLocked || actor.level >= Level.guest);
  const may = (rule: (actor: Actor, project: Project) => boolean): boolean => isOpen && rule(actor, project);
  return {
    project,
    isOpen,
    mayComment: may(both(PROJECT_POLICY.reader, (caller) => caller.user !== null)),
    mayModerate: may(PROJECT_POLICY.maintainer),
    maySettle: may(PROJECT_POLICY.developer),
    mayDate: may(PROJECT_POLICY.owner),
  };
}

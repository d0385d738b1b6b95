import { forbidden, notFound, unauthenticated } from '#libs/errors';
import type { Actor } from './actor';
import { GROUP_POLICY, type GroupAbility, type GroupFacts } from './group-policy';
import { administrator, type ProjectFacts } from './policy';
import { PROJECT_POLICY, type ProjectAbility } from './project-policy';

/** What an endpoint asks of its caller, as a literal that reads in its row. */
export type Access =
  'anyone' | 'user' | 'admin' | 'scim' | `project:${ProjectAbility}` | `group:${GroupAbility}`;

/** The thing in the path that the caller must have access to. */
export type SubjectFacts =
  | { readonly kind: 'project'; readonly facts: ProjectFacts }
  | { readonly kind: 'group'; readonly facts: GroupFacts }
  | null;

const isProjectAbility = (name: string): name is ProjectAbility => name in PROJECT_POLICY;
const isGroupAbility = (name: string): name is GroupAbility => name in GROUP_POLICY;

/**
 * Grants or throws: 404 for what must stay hidden, then 401 for anonymous callers, then 403.
 * A subject that was not found counts as hidden.
 */
export function authorize(access: Access, actor: Actor, subject: SubjectFacts): void {
  if (access === 'anyone') return;
  // Opened by a token of SCIM alone, which is nobody's: see ScimGate.
  if (access === 'scim') throw unauthenticated();
  if (access === 'user' || access === 'admin') {
    if (!actor.user) throw unauthenticated();
    if (access === 'admin' && !administrator(actor, null)) throw forbidden();
    return;
  }
  const ability = access.slice(access.indexOf(':') + 1);
  if (access.startsWith('project:')) {
    if (subject?.kind !== 'project' || !PROJECT_POLICY.reader(actor, subject.facts))
      throw notFound('Project');
    if (isProjectAbility(ability) && PROJECT_POLICY[ability](actor, subject.facts)) return;
  } else {
    if (subject?.kind !== 'group' || !GROUP_POLICY.reader(actor, subject.facts)) throw notFound('Group');
    if (isGroupAbility(ability) && GROUP_POLICY[ability](actor, subject.facts)) return;
  }
  throw actor.user ? forbidden() : unauthenticated();
}

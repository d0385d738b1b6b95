import type { ActorUser } from '#libs/access';
import type { EventType } from '#libs/events';
import type { Project } from '../projects/project.entity';
import type { HookKindName } from './hook-kinds';

/** What a domain event must say to be told to hooks. */
export interface InProject {
  readonly projectId: number;
}

/** One thing that hooks are told. */
export interface HookCall {
  readonly kind: HookKindName;
  /** The branch that a hook's filter looks at; null for what is about none. */
  readonly branch: string | null;
  /** Made only when some hook wants it. A plain object, sent as JSON. */
  body(): Promise<object>;
}

/**
 * A kind of domain event that the hooks of its project are told of. Make it a provider of any module, and it is found
 * at start; which hooks want it, delivery, repetition and the log are not its business.
 */
export abstract class HookEvent<Payload extends InProject = InProject> {
  abstract readonly type: EventType<Payload>;
  /** The kinds of its calls, for whoever tries a hook out. */
  abstract readonly kinds: readonly HookKindName[];

  /** What there is to tell, always the same for the same event: a repetition is known by its place in the list. */
  abstract calls(payload: Payload, project: Project): Promise<readonly HookCall[]> | readonly HookCall[];

  /**
   * A call as if `user` had just done the latest thing of its kind there is; null where the project has none yet.
   */
  abstract sample(kind: HookKindName, project: Project, user: ActorUser): Promise<HookCall | null>;
}

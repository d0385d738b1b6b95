import { defineEvent } from '#libs/events';

/** Branches or tags of a project moved, by a push or through the API. */
export interface RefsUpdated {
  readonly projectId: number;
  /** Null where the system itself moved them. */
  readonly actorId: number | null;
  /** `mirror` for what was brought from the remote that a project follows. */
  readonly source: 'push' | 'api' | 'mirror';
  /** The pusher wants no pipelines (`git push -o ci.skip`). */
  readonly skipsPipelines?: boolean;
  readonly updates: readonly { readonly ref: string; readonly oldSha: string; readonly newSha: string }[];
}

export const refsUpdated = defineEvent<RefsUpdated>()('repository.refs_updated');

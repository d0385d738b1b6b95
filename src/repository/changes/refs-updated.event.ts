import { defineEvent } from '#libs/events';

/** Branches or tags of a project moved, by a push or through the API. */
export interface RefsUpdated {
  readonly projectId: number;
  /** Null where the system itself moved them. */
  readonly actorId: number | null;
  readonly source: 'push' | 'api';
  readonly updates: readonly { readonly ref: string; readonly oldSha: string; readonly newSha: string }[];
}

export const refsUpdated = defineEvent<RefsUpdated>()('repository.refs_updated');

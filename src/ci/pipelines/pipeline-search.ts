import type { CiStatus } from './status';

export const PIPELINE_SCOPES = ['running', 'pending', 'finished', 'branches', 'tags'] as const;
export type PipelineScope = (typeof PIPELINE_SCOPES)[number];
export const PIPELINE_ORDERS = ['id', 'status', 'ref', 'user_id'] as const;

/** What a list of pipelines is to have. */
export interface PipelineSearch {
  readonly statuses: readonly CiStatus[] | null;
  readonly ref: string | null;
  readonly sha: string | null;
  readonly yamlErrors: boolean | null;
  /** Whoever started it. */
  readonly userIds: readonly number[] | null;
  /** Only the newest pipeline of each of these branches or tags. */
  readonly newestOf: { readonly refs: readonly string[]; readonly tag: boolean } | null;
  readonly orderBy: (typeof PIPELINE_ORDERS)[number];
  readonly sort: 'asc' | 'desc';
}

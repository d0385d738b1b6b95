import { HookChanges } from './hook-changes.service';
import { LabelsOfHooks } from './labels-of-hooks.repository';
import { MergeRequestHookEvent } from './merge-request-hook-event';
import { MergeRequestHookRecords } from './merge-request-hook-records';

/** What hooks are told of merge requests, as the collaboration module takes them up. */
export const MERGE_REQUEST_HOOKS = {
  providers: [HookChanges, LabelsOfHooks, MergeRequestHookEvent, MergeRequestHookRecords],
} as const;

import type { SystemNote } from '../../planning/planning.api';
import type { ChangedValue } from '../merge-requests/merge-request-events';

/** A line in the discussion. */
export type Sentence = Pick<SystemNote, 'action' | 'body'>;

/** What a change is told as: in the discussion, and to hooks by the names that the API has for what changed. */
export interface ToldChange {
  readonly notes: readonly Sentence[];
  readonly changes: Readonly<Record<string, ChangedValue>>;
}

export const NOTHING_TOLD: ToldChange = { notes: [], changes: {} };

export const together = (...parts: readonly ToldChange[]): ToldChange => ({
  notes: parts.flatMap(({ notes }) => notes),
  changes: Object.fromEntries(parts.flatMap(({ changes }) => Object.entries(changes))),
});

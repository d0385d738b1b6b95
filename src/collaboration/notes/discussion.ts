import type { ShownNote } from './shown-note';

/** Notes that belong together. */
export interface Discussion {
  readonly id: string;
  /** The first one first; never empty. */
  readonly notes: readonly ShownNote[];
}

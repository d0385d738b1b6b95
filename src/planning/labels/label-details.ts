import type { LabelCounts } from './label-figures.repository';
import type { Label } from './label.entity';

/** A label as one caller sees it in one project or group. */
export interface LabelDetails {
  readonly label: Label;
  readonly isFollowed: boolean;
  /** Of the project; null without one, or in a group. */
  readonly priority: number | null;
  /** Null where they were not asked for. */
  readonly counts: LabelCounts | null;
}

import type { UserSummary } from '../../identity/identity.api';
import type { Label } from '../labels/label.entity';
import type { LabelledRef } from '../labels/labelled';
import type { LabelEvent } from './label-event.entity';

export interface DescribedLabelEvent {
  readonly event: LabelEvent;
  /** What the label was put on, or taken off. */
  readonly on: LabelledRef;
  readonly user: UserSummary | null;
  /** Null once it is gone. */
  readonly label: Label | null;
}

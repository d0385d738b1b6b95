import { field, presenter, presentTime } from '#libs/presenting';
import { presentUserSummary, UserSummaryRecord } from '../../identity/identity.api';
import { presentLabelSummary } from '../labels/label.presenter';
import type { DescribedLabelEvent } from './described-label-event';

const LabelEventRecord = field.object({
  id: field.int(),
  user: UserSummaryRecord.nullable(),
  created_at: field.string(),
  resource_type: field.enum(['Issue', 'MergeRequest', 'Epic']),
  resource_id: field.int(),
  label: presentLabelSummary.record.nullable(),
  action: field.enum(['add', 'remove']),
});

/** A resource label event, as the reference has it. */
export const presentLabelEvent = presenter(
  LabelEventRecord,
  ({ event, on, user, label }: DescribedLabelEvent, view) => ({
    id: event.id,
    user: user && presentUserSummary(user, view),
    created_at: presentTime(event.createdAt),
    resource_type: on.kind,
    resource_id: on.id,
    label: label && presentLabelSummary(label, view),
    action: event.action,
  }),
);

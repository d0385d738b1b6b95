import { renderEmoji } from '#libs/emoji';
import { field, presenter } from '#libs/presenting';
import type { LabelDetails } from './label-details';
import { textColorOn } from './label-rules';
import type { Label } from './label.entity';

const BasicRecord = field.object({
  id: field.int(),
  name: field.string(),
  color: field.string(),
  text_color: field.string(),
  description: field.string().nullable(),
  description_html: field.string().nullable(),
});

/** A label in other records. */
export const presentLabelSummary = presenter(BasicRecord, (label: Label) => ({
  id: label.id,
  name: label.title,
  color: label.color,
  text_color: textColorOn(label.color),
  description: label.description,
  description_html: label.description === null ? null : renderEmoji(label.description),
}));

const GroupLabelRecord = BasicRecord.extend({
  open_issues_count: field.int().optional(),
  closed_issues_count: field.int().optional(),
  open_merge_requests_count: field.int().optional(),
  subscribed: field.boolean(),
});

export const presentGroupLabel = presenter(
  GroupLabelRecord,
  ({ label, counts, isFollowed }: LabelDetails, view) => ({
    ...presentLabelSummary(label, view),
    ...(counts && {
      open_issues_count: counts.openIssues,
      closed_issues_count: counts.closedIssues,
      open_merge_requests_count: counts.openMergeRequests,
    }),
    subscribed: isFollowed,
  }),
);

const ProjectLabelRecord = GroupLabelRecord.extend({
  priority: field.int().nullable(),
  is_project_label: field.boolean(),
});

export const presentProjectLabel = presenter(ProjectLabelRecord, (details: LabelDetails, view) => ({
  ...presentGroupLabel(details, view),
  priority: details.priority,
  is_project_label: details.label.projectId !== null,
}));

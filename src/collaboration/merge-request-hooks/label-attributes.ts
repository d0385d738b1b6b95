import type { Label } from '../../planning/planning.api';

/** A label as receivers of hooks are told of it. */
export const labelAttributes = (label: Label) => ({
  id: label.id,
  title: label.title,
  color: label.color,
  project_id: label.projectId,
  created_at: label.createdAt.toISOString(),
  updated_at: label.updatedAt.toISOString(),
  template: false,
  description: label.description,
  type: label.type,
  group_id: label.groupId,
});

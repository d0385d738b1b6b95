import type { Sequence } from '#libs/database';
import type { Place } from '../labels/place';

/** What the milestones of a project or group are numbered by. */
export const sequenceOf = ({ projectId, namespaceId }: Place): Sequence => ({
  scopeKind: projectId === null ? 'group' : 'project',
  scopeId: projectId ?? namespaceId,
  usage: 'milestones',
});

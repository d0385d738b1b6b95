import type { Project } from '../../repository/repository.api';
import type { Issue } from '../issues/issue.entity';
import type { Epic } from './epic.entity';

/** An epic with the full path of its group. */
export interface PlacedEpic {
  readonly epic: Epic;
  readonly groupPath: string;
}

type ProjectOfIssue = Pick<Project, 'namespaceId' | 'path' | 'fullPath'>;

/** How texts of the group call the epic: "&1", and "group&1" from elsewhere. */
export const epicReference = ({ epic, groupPath }: PlacedEpic, inGroupId: number): string =>
  epic.groupId === inGroupId ? `&${epic.iid}` : `${groupPath}&${epic.iid}`;

/** How texts of the group call an issue of one of its projects, "project#1", or one from further away. */
export const issueReference = (
  { iid }: Pick<Issue, 'iid'>,
  project: ProjectOfIssue,
  inGroupId: number,
): string => `${project.namespaceId === inGroupId ? project.path : project.fullPath}#${iid}`;

import { hydrate } from '#libs/database';
import { Project } from './project.entity';

/** What `PROJECT_COLUMNS` selects beside the project's own columns. */
export interface ProjectRow {
  readonly namespace_id: number;
  readonly namespace_name: string;
  readonly namespace_path: string;
  readonly namespace_kind: 'user' | 'group';
  readonly namespace_parent_id: number | null;
  readonly namespace_owner_id: number | null;
  readonly namespace_avatar: string | null;
  readonly namespace_full_path: string;
  readonly namespace_full_name: string;
  readonly full_path: string;
}

/** A project out of one row of raw SQL. */
export function projectOf(row: ProjectRow): Project {
  const project = hydrate(Project, row);
  project.fullPath = row.full_path;
  project.namespace = {
    id: row.namespace_id,
    name: row.namespace_name,
    path: row.namespace_path,
    kind: row.namespace_kind,
    fullPath: row.namespace_full_path,
    fullName: row.namespace_full_name,
    parentId: row.namespace_parent_id,
    ownerId: row.namespace_owner_id,
    avatar: row.namespace_avatar,
  };
  return project;
}

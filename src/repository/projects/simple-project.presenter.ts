import { field, presenter, presentTime, type View } from '#libs/presenting';
import { avatarUrl } from '../../identity/identity.api';
import type { ProjectDetails } from './project-details';
import type { Project } from './project.entity';

const SimpleFields = {
  id: field.int(),
  description: field.string().nullable(),
  default_branch: field.string().nullable().optional(),
  ssh_url_to_repo: field.string(),
  http_url_to_repo: field.string(),
  web_url: field.string(),
  readme_url: field.string().nullable(),
  tag_list: field.array(field.string()),
  name: field.string(),
  name_with_namespace: field.string(),
  path: field.string(),
  path_with_namespace: field.string(),
  created_at: field.string(),
  last_activity_at: field.string(),
  forks_count: field.int(),
  avatar_url: field.string().nullable(),
  star_count: field.int(),
};

export const SimpleProjectRecord = field.object(SimpleFields);

/** The simple form (specification, Project). What is in the repository shows to those alone who may read it. */
export const presentSimpleProject = presenter(
  SimpleProjectRecord,
  ({ project, canReadCode }: Pick<ProjectDetails, 'project' | 'canReadCode'>, view) => ({
    id: project.id,
    description: project.description,
    ...(canReadCode && { default_branch: project.defaultBranch }),
    ssh_url_to_repo: view.urls.gitOverSsh(project.fullPath),
    http_url_to_repo: view.urls.gitOverHttp(project.fullPath),
    web_url: view.urls.web(project.fullPath),
    readme_url: canReadCode ? fileUrl(project, project.readmePath, view) : null,
    tag_list: project.tagList,
    name: project.name,
    name_with_namespace: `${project.namespace.fullName} / ${project.name}`,
    path: project.path,
    path_with_namespace: project.fullPath,
    created_at: presentTime(project.createdAt),
    last_activity_at: presentTime(project.lastActivityAt),
    forks_count: project.forksCount,
    avatar_url: avatarUrl(view.urls, 'project', project.id, project.avatar),
    star_count: project.starCount,
  }),
);

/** The page of a file on the default branch. */
export function fileUrl(project: Project, path: string | null, { urls }: View): string | null {
  if (path === null || project.defaultBranch === null) return null;
  const inUrl = `${project.defaultBranch}/${path}`.split('/').map(encodeURIComponent).join('/');
  return `${urls.web(project.fullPath)}/blob/${inUrl}`;
}

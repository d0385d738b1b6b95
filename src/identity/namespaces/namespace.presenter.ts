import { field, presenter, type View } from '#libs/presenting';
import type { Namespace } from './namespace.entity';

const NamespaceRecord = field.object({
  id: field.int(),
  name: field.string(),
  path: field.string(),
  kind: field.enum(['user', 'group']),
  full_path: field.string(),
  parent_id: field.int().nullable(),
  avatar_url: field.string().nullable(),
  web_url: field.string(),
});

/** The page of a namespace: a user's profile, or a group's page under `/groups/`. */
export const namespaceUrl = (namespace: Pick<Namespace, 'kind' | 'fullPath'>, { urls }: View): string =>
  urls.web(namespace.kind === 'group' ? `groups/${namespace.fullPath}` : namespace.fullPath);

export const presentNamespace = presenter(NamespaceRecord, (namespace: Namespace, view) => ({
  id: namespace.id,
  name: namespace.name,
  path: namespace.path,
  kind: namespace.kind,
  full_path: namespace.fullPath,
  parent_id: namespace.parentId,
  avatar_url: null,
  web_url: namespaceUrl(namespace, view),
}));

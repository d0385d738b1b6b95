import type { TreeEntry } from '#libs/git';
import { field, presenter } from '#libs/presenting';

const TreeEntryRecord = field.object({
  id: field.string(),
  name: field.string(),
  type: field.enum(['tree', 'blob', 'commit']),
  path: field.string(),
  mode: field.string(),
});

export const presentTreeEntry = presenter(TreeEntryRecord, ({ sha, name, type, path, mode }: TreeEntry) => ({
  id: sha,
  name,
  type,
  path,
  mode,
}));

import type { FileDiff } from '#libs/git';
import { field, presenter } from '#libs/presenting';

export const DiffRecord = field.object({
  diff: field.string(),
  new_path: field.string(),
  old_path: field.string(),
  a_mode: field.string(),
  b_mode: field.string(),
  new_file: field.boolean(),
  renamed_file: field.boolean(),
  deleted_file: field.boolean(),
  too_large: field.boolean().optional(),
});

/** `too_large` tells that a diff beyond the limit was left out, and is there only then. */
export const presentDiff = presenter(DiffRecord, (diff: FileDiff) => ({
  diff: diff.text,
  new_path: diff.newPath,
  old_path: diff.oldPath,
  a_mode: diff.oldMode,
  b_mode: diff.newMode,
  new_file: diff.isNew,
  renamed_file: diff.isRenamed,
  deleted_file: diff.isDeleted,
  ...(diff.isTooLarge && { too_large: true }),
}));

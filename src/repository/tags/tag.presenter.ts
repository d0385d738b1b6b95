import { field, presenter } from '#libs/presenting';
import { presentCommit } from '../commits/commit.presenter';
import type { TagDetails, TagRelease } from './tag';

const ReleaseRecord = field.object({ tag_name: field.string(), description: field.string() });

export const presentTagRelease = presenter(ReleaseRecord, ({ tag, description }: TagRelease) => ({
  tag_name: tag,
  description,
}));

const TagRecord = field.object({
  name: field.string(),
  message: field.string().nullable(),
  target: field.string(),
  commit: presentCommit.record.nullable(),
  release: ReleaseRecord.nullable(),
  protected: field.boolean(),
});

/** No tag is protected: the installation has no rules for tags. */
export const presentTag = presenter(TagRecord, (tag: TagDetails, view) => ({
  name: tag.name,
  // git ends a message with a line break, which says nothing.
  message: tag.message?.replace(/\n$/, '') ?? null,
  target: tag.target,
  commit: tag.commit && presentCommit(tag.commit, view),
  release: tag.release && presentTagRelease(tag.release, view),
  protected: false,
}));

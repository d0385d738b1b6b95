import { field, presenter, presentTime, type View } from '#libs/presenting';
import { presentUserSummary, UserSummaryRecord } from '../../identity/identity.api';
import { NOTEABLE_KINDS } from '../../planning/planning.api';
import type { AwardedEmoji } from './awarded-emoji';

export const AwardEmojiRecord = field.object({
  id: field.int(),
  name: field.string(),
  user: UserSummaryRecord.nullable(),
  created_at: field.string(),
  updated_at: field.string(),
  awardable_id: field.int(),
  awardable_type: field.enum([...NOTEABLE_KINDS, 'Note']),
});

export const presentAwardEmoji = presenter(
  AwardEmojiRecord,
  ({ award, target, user }: AwardedEmoji, view: View) => ({
    id: award.id,
    name: award.name,
    user: user && presentUserSummary(user, view),
    created_at: presentTime(award.createdAt),
    updated_at: presentTime(award.updatedAt),
    awardable_id: target.id,
    awardable_type: target.kind,
  }),
);

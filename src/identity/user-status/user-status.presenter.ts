import { renderEmoji } from '#libs/emoji';
import { field, presenter } from '#libs/presenting';
import type { ShownStatus } from './user-status';

const UserStatusRecord = field.object({
  emoji: field.string().nullable(),
  message: field.string().nullable(),
  message_html: field.string().nullable(),
});

/** Nulls where none is set. */
export const presentUserStatus = presenter(UserStatusRecord, ({ status }: ShownStatus) => ({
  emoji: status?.emoji ?? null,
  message: status?.message ?? null,
  message_html: status ? renderEmoji(status.message ?? '') : null,
}));

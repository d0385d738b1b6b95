import { field, presenter, type View } from '#libs/presenting';
import { avatarUrl } from '../avatars/avatar-url';
import type { UserSummary } from './user-summary';

export const UserSummaryRecord = field.object({
  id: field.int(),
  name: field.string(),
  username: field.string(),
  state: field.string(),
  avatar_url: field.string().nullable(),
  web_url: field.string(),
});

/** The usual six fields of somebody in another record. */
export const presentUserSummary = presenter(UserSummaryRecord, (user: UserSummary, { urls }: View) => ({
  id: user.id,
  name: user.name,
  username: user.username,
  state: user.state === 'active' ? 'active' : 'blocked',
  avatar_url: avatarUrl(urls, 'user', user.id, user.avatar),
  web_url: urls.web(user.username),
}));

import type { ParamsOf } from '#libs/http';
import type { ListMembers } from './member.params';

/** Which members of a project or group. */
export interface MemberSearch {
  /** Inherited and shared memberships count too. */
  readonly withInherited: boolean;
  /** Part of the name or username. */
  readonly query?: string | undefined;
  /** Nobody but these users. */
  readonly userIds?: readonly number[] | undefined;
}

type Params = ParamsOf<typeof ListMembers>;

export const directSearch = ({ query, user_ids: userIds }: Params): MemberSearch => ({
  withInherited: false,
  query,
  userIds,
});

export const effectiveSearch = (params: Params): MemberSearch => ({
  ...directSearch(params),
  withInherited: true,
});

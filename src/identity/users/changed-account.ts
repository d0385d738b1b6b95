import type { SentPicture } from '../avatars/avatars.service';
import type { AccountDetails, RuledFields } from './new-account';
import type { User } from './user.entity';
import type { UserColumns } from './users.repository';
import { given } from './given';

/** What an administrator changes of an account; what is left out stays. */
export interface ChangedAccount {
  readonly email?: string | undefined;
  /** The e-mail holds at once, without its owner's confirmation. */
  readonly isReconfirmed?: boolean | undefined;
  readonly username?: string | undefined;
  readonly name?: string | undefined;
  readonly password?: string | undefined;
  readonly isAdmin?: boolean | undefined;
  readonly isExternal?: boolean | undefined;
  readonly canCreateGroup?: boolean | undefined;
  readonly projectsLimit?: number | undefined;
  readonly note?: string | null | undefined;
  readonly identity?:
    | {
        readonly provider: string;
        readonly externUid: string;
        /** The group's single sign-on that knows the user by this id. */
        readonly samlProviderId?: number | undefined;
      }
    | undefined;
  readonly details?: AccountDetails | undefined;
  readonly avatar?: SentPicture | undefined;
}

/** What the rules look at: an e-mail that stays as it is may be one that today's rules refuse. */
export function ruledFields(user: User, changes: ChangedAccount): RuledFields {
  const { username, email, name, password, projectsLimit, details = {} } = changes;
  return {
    name,
    password,
    projectsLimit,
    username: username === user.username ? undefined : username,
    email: email === user.email ? undefined : email,
    bio: details.bio,
    publicEmail: details.publicEmail === user.publicEmail ? undefined : details.publicEmail,
  };
}

/** The new e-mail; undefined where it stays. */
export const newEmail = (user: User, { email }: ChangedAccount): string | undefined =>
  email === undefined || email === user.email ? undefined : email;

/** The columns that change, the password's aside. */
export function changedColumns(user: User, changes: ChangedAccount): UserColumns {
  const { username, name, isAdmin, note, details = {} } = changes;
  return {
    ...given(details),
    ...given({ username, name, isAdmin, note }),
    ...rightsOf(user, changes),
    ...emailOf(user, changes),
  };
}

/** Becoming external takes groups and projects away; becoming internal gives the usual, unless more is said. */
function rightsOf(user: User, { isExternal, canCreateGroup, projectsLimit }: ChangedAccount): UserColumns {
  const told = given({ canCreateGroup, projectsLimit });
  if (isExternal === undefined || isExternal === user.isExternal) return told;
  if (isExternal) return { isExternal, canCreateGroup: false, projectsLimit: 0 };
  return { isExternal, canCreateGroup: true, projectsLimit: USUAL_PROJECTS_LIMIT, ...told };
}

/** As the column's default. */
const USUAL_PROJECTS_LIMIT = 100_000;

function emailOf(user: User, changes: ChangedAccount): UserColumns {
  const email = newEmail(user, changes);
  if (email === undefined) return {};
  if (!changes.isReconfirmed) return { unconfirmedEmail: email };
  const isShown = user.publicEmail.toLowerCase() === user.email.toLowerCase();
  return {
    email,
    unconfirmedEmail: null,
    confirmedAt: user.confirmedAt ?? new Date(),
    ...(isShown && changes.details?.publicEmail === undefined && { publicEmail: '' }),
  };
}

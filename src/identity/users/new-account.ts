import { invalid, type ValidationErrors } from '#libs/errors';
import type { SentPicture } from '../avatars/avatars.service';
import { PathRules } from '../paths/path-rules';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../passwords/passwords';
import type { User } from './user.entity';

/** What a new account is made of; what is left out has the column's default. */
export interface NewAccount {
  readonly username: string;
  readonly name: string;
  readonly email: string;
  /** Null: a random one that nobody knows. */
  readonly password: string | null;
  /** Not even a random one, which would cost its hashing for each of thousands of accounts. */
  readonly hasNoPassword?: boolean;
  readonly isAdmin: boolean;
  /** Whether the e-mail counts as confirmed. */
  readonly isConfirmed: boolean;
  /** Whether an administrator has to let the account in first. */
  readonly isBlocked?: boolean | undefined;
  /** External accounts may neither create groups nor own projects, whatever the other fields say. */
  readonly isExternal?: boolean | undefined;
  readonly canCreateGroup?: boolean | undefined;
  readonly projectsLimit?: number | undefined;
  readonly identity?:
    | {
        readonly provider: string;
        readonly externUid: string;
        /** The group's single sign-on that knows the user by this id. */
        readonly samlProviderId?: number;
      }
    | undefined;
  readonly details?: AccountDetails | undefined;
  /** Asks by mail for a password of one's own. */
  readonly choosesPassword?: boolean | undefined;
  readonly avatar?: SentPicture | undefined;
}

type Optional<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** The rest, which has no rules of its own beyond lengths. */
export type AccountDetails = Optional<
  Pick<
    User,
    | 'bio'
    | 'location'
    | 'organization'
    | 'publicEmail'
    | 'skype'
    | 'linkedin'
    | 'twitter'
    | 'websiteUrl'
    | 'privateProfile'
    | 'sharedRunnersMinutesLimit'
    | 'extraSharedRunnersMinutesLimit'
  >
>;

const MAX_NAME_LENGTH = 128;
const MAX_BIO_LENGTH = 255;
const MAX_EMAIL_LENGTH = 254;
const MAX_INTEGER = 2_147_483_647;
/** One @ between two parts without blanks or control characters; whether mail arrives, only sending can tell. */
const EMAIL = /^[^@\s\p{Cc}<>"(),:;]+@[^@\s\p{Cc}<>"(),:;]+$/u;

const tooLong = (maximum: number): string => `is too long (maximum is ${maximum} characters)`;

/** Fields that have rules; what is not given is not looked at. */
export interface RuledFields {
  readonly username?: string | undefined;
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly password?: string | null | undefined;
  readonly bio?: string | null | undefined;
  readonly projectsLimit?: number | undefined;
  readonly publicEmail?: string | undefined;
}

/** Throws the specification's body 2 with everything that is wrong with an account that is to be created. */
export function refuseInvalidAccount(account: NewAccount): void {
  const { bio, publicEmail } = account.details ?? {};
  refuseInvalidFields({ ...account, bio, publicEmail }, [account.email]);
}

/** As `refuseInvalidAccount`, for the fields that are to change; `ownEmails` are those that the user may show. */
export function refuseInvalidFields(fields: RuledFields, ownEmails: readonly string[]): void {
  const { username, name, email, password = null, bio, projectsLimit = 0, publicEmail = '' } = fields;
  const problems: Record<string, string | null> = {
    username: username === undefined ? null : usernameProblem(username),
    name: name === undefined ? null : nameProblem(name),
    email: email === undefined ? null : emailProblem(email),
    password: passwordProblem(password),
    bio: (bio ?? '').length > MAX_BIO_LENGTH ? tooLong(MAX_BIO_LENGTH) : null,
    projects_limit: limitProblem(projectsLimit),
    public_email: publicEmailProblem(publicEmail, ownEmails),
  };
  const errors: ValidationErrors = {};
  for (const [field, problem] of Object.entries(problems)) if (problem !== null) errors[field] = [problem];
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

const usernameProblem = (username: string): string | null =>
  PathRules.problem(username) ?? PathRules.reservation(username, true);

function nameProblem(name: string): string | null {
  if (name.trim() === '') return "can't be blank";
  return name.length > MAX_NAME_LENGTH ? tooLong(MAX_NAME_LENGTH) : null;
}

/** What is wrong with an e-mail; null for a good one. */
export function emailProblem(email: string): string | null {
  if (email.trim() === '') return "can't be blank";
  return email.length <= MAX_EMAIL_LENGTH && EMAIL.test(email) ? null : 'is invalid';
}

export function passwordProblem(password: string | null): string | null {
  if (password === null) return null;
  if (password.length < MIN_PASSWORD_LENGTH)
    return `is too short (minimum is ${MIN_PASSWORD_LENGTH} characters)`;
  return password.length > MAX_PASSWORD_LENGTH ? tooLong(MAX_PASSWORD_LENGTH) : null;
}

function limitProblem(limit: number): string | null {
  if (limit < 0) return 'must be greater than or equal to 0';
  return limit > MAX_INTEGER ? `must be less than or equal to ${MAX_INTEGER}` : null;
}

/** Only an address of one's own may be shown to the public, or none. */
function publicEmailProblem(shown: string, ownEmails: readonly string[]): string | null {
  const isOwn = ownEmails.some((email) => email.toLowerCase() === shown.toLowerCase());
  return shown === '' || isOwn ? null : 'is not an email you own';
}

import { DomainError } from '#libs/errors';
import { Injectable, Logger } from '@nestjs/common';
import type { LdapProvider } from '../../settings/settings';
import { Turnstile } from '../passwords/turnstile';
import type { User } from '../users/user.entity';
import { Directories } from './directories';
import { DirectoryConnection } from './directory-connection';
import { personByDn, personByLogin, type DirectoryPerson } from './directory-person';
import { LdapAccountsRepository, type LdapIdentity } from './ldap-accounts.repository';
import { LdapAccounts } from './ldap-accounts.service';

/** Sign-ins that wait for directories in one process: a slow directory must not take all there is. */
const AT_ONCE = 8;
const MOST_WAITING = 50;
const MAX_LOGIN_LENGTH = 255;
const MAX_PASSWORD_LENGTH = 1024;

/** What the directories say about a login. */
export type DirectoryAnswer =
  | { readonly kind: 'accepted'; readonly user: User }
  /** The account is a directory's, and the password is not the account's: no other password counts. */
  | { readonly kind: 'refused' }
  /** No directory has a say in it. */
  | { readonly kind: 'not_asked' };

export interface DirectoryAttempt {
  readonly login: string;
  readonly password: string;
  /** The user here that the login means; null for nobody. */
  readonly known: User | null;
  /** Asked again after waiting: others may have used the attempts up meanwhile. */
  readonly mayAsk: () => Promise<boolean>;
}

const NOT_ASKED: DirectoryAnswer = { kind: 'not_asked' };
const REFUSED: DirectoryAnswer = { kind: 'refused' };

/** Signs people in by their password in a directory. */
@Injectable()
export class DirectoryLogins {
  private readonly turnstile = new Turnstile(AT_ONCE, MOST_WAITING);
  private readonly logger = new Logger('Ldap');

  constructor(
    private readonly directories: Directories,
    private readonly repository: LdapAccountsRepository,
    private readonly accounts: LdapAccounts,
  ) {}

  /**
   * Asks the directories in their order. A known user who belongs to a directory
   * is asked for there and nowhere else; one who does not is never taken over by a directory's account of the same
   * name, unless the provider links by e-mail. Whether the user is blocked is for the caller to look at.
   * Throws `unavailable` when a directory that has to be asked does not answer, or too many wait for one.
   */
  async attempt({ login, password, known, mayAsk }: DirectoryAttempt): Promise<DirectoryAnswer> {
    const { providers } = this.directories;
    if (providers.length === 0) return NOT_ASKED;
    const identities = known ? await this.identitiesOf(known) : [];
    const asks = identities.length > 0 || !known || providers.some(({ autoLinkUsers }) => autoLinkUsers);
    if (!asks) return NOT_ASKED;
    if (!isSendable(login, password)) return identities.length > 0 ? REFUSED : NOT_ASKED;
    return this.turnstile.pass(async () => {
      if (!(await mayAsk())) return REFUSED;
      return identities.length > 0
        ? this.ofMember(identities, password)
        : this.ofAnybody(login, password, known);
    });
  }

  /** Whether the user's password is a directory's, so that there is none here to change. */
  async ownsPasswordOf(userId: number): Promise<boolean> {
    return (await this.identitiesOf({ id: userId })).length > 0;
  }

  private async identitiesOf({ id }: Pick<User, 'id'>) {
    const names = this.directories.providers.map(({ name }) => name);
    return names.length === 0 ? [] : this.repository.identitiesOf(id, names);
  }

  /** Somebody whom a directory already knows: by the name they are kept under, whatever they typed. */
  private ofMember(identities: readonly LdapIdentity[], password: string): Promise<DirectoryAnswer> {
    return this.firstOf(identities, REFUSED, async ({ provider: name, externUid }) => {
      const provider = this.directories.named(name);
      if (!provider) return null;
      const person = await this.asked(provider, (directory) => personByDn(provider, directory, externUid));
      if (!person) return null;
      // Administrators tie accounts by names as they find them.
      if (person.externUid !== externUid) await this.repository.respell(name, externUid, person.externUid);
      return this.verified(provider, person, password);
    });
  }

  private ofAnybody(login: string, password: string, known: User | null): Promise<DirectoryAnswer> {
    return this.firstOf(this.directories.providers, NOT_ASKED, async (provider) => {
      const name = provider.allowUsernameOrEmailLogin ? (login.split('@')[0] ?? login) : login;
      if (name === '' || (known && !provider.autoLinkUsers)) return null;
      const person = await this.asked(provider, (directory) => personByLogin(provider, directory, name));
      if (!person || (known && !isSamePerson(known, person))) return null;
      return this.verified(provider, person, password);
    });
  }

  /** A directory that is down does not keep the others from answering; when none accepts, its failure is the answer. */
  private async firstOf<T>(
    candidates: readonly T[],
    otherwise: DirectoryAnswer,
    ask: (candidate: T) => Promise<User | null>,
  ): Promise<DirectoryAnswer> {
    let failure: DomainError | null = null;
    for (const candidate of candidates) {
      try {
        const user = await ask(candidate);
        if (user) return { kind: 'accepted', user };
      } catch (error) {
        if (!(error instanceof DomainError) || error.detail.kind !== 'unavailable') throw error;
        failure = error;
      }
    }
    if (failure) throw failure;
    return otherwise;
  }

  private async verified(
    provider: LdapProvider,
    person: DirectoryPerson,
    password: string,
  ): Promise<User | null> {
    if (person.isDisabled) return null;
    const fits = await this.reaching(provider, () =>
      DirectoryConnection.verify(provider, person.dn, password),
    );
    return fits ? this.accounts.of(provider, person) : null;
  }

  private asked<T>(provider: LdapProvider, work: (directory: DirectoryConnection) => Promise<T>): Promise<T> {
    return this.reaching(provider, () => DirectoryConnection.use(provider, work));
  }

  /** Only what the directory itself does wrong is "unavailable". */
  private async reaching<T>({ name }: LdapProvider, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.logger.error({ err: error, provider: name }, 'a directory could not be asked');
      const message = 'The directory of the account does not answer. Try again later.';
      throw new DomainError({ kind: 'unavailable', message }, { cause: error });
    }
  }
}

/** An empty password would be an anonymous bind, and a NUL ends texts in some directories. */
const isSendable = (login: string, password: string): boolean =>
  login !== '' &&
  password !== '' &&
  login.length <= MAX_LOGIN_LENGTH &&
  password.length <= MAX_PASSWORD_LENGTH &&
  !`${login}${password}`.includes('\0');

const isSamePerson = (user: User, { email }: DirectoryPerson): boolean =>
  user.confirmedAt !== null && email !== null && email.trim().toLowerCase() === user.email.toLowerCase();

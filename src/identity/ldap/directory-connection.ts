import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import tls from 'node:tls';
import { Client, NoSuchObjectError, ResultCodeError, type Filter, type SearchOptions } from 'ldapts';
import type { LdapProvider } from '../../settings/settings';
import { entryOf, type DirectoryEntry } from './directory-entry';

const PAGE_SIZE = 500;

/** Answers to a bind that mean "not with this password": wrong, locked, expired, not allowed to. */
const REFUSALS = new Set([19, 32, 34, 48, 49, 50, 53]);

/**
 * One connection to one directory. It is never made anew behind the caller's back: a new one would be neither
 * encrypted (StartTLS) nor bound, and the next password would travel in the clear.
 */
export class DirectoryConnection {
  private readonly client: Client;
  private socket: net.Socket | undefined;

  private constructor(private readonly provider: LdapProvider) {
    const { host, port, timeoutMs } = provider;
    this.client = new Client({
      url: `${provider.encryption === 'tls' ? 'ldaps' : 'ldap'}://${net.isIPv6(host) ? `[${host}]` : host}:${port}`,
      timeout: timeoutMs,
      connectTimeout: timeoutMs,
      ...(provider.encryption === 'tls'
        ? { createSecureConnection: () => this.once(() => tls.connect(tlsOptions(provider))) }
        : { createConnection: () => this.once(() => net.connect({ host, port })) }),
    });
  }

  /**
   * Connects, encrypts as the provider says, and binds as the service's own account where there is one. The work has
   * the connection until it ends. Throws what the network, TLS and the directory throw.
   */
  static async use<T>(
    provider: LdapProvider,
    work: (directory: DirectoryConnection) => Promise<T>,
  ): Promise<T> {
    const connection = new DirectoryConnection(provider);
    try {
      await connection.encrypt();
      const { dn, password } = provider.bind ?? { dn: '', password: '' };
      await connection.client.bind(dn, password);
      return await work(connection);
    } finally {
      await connection.close();
    }
  }

  /**
   * Whether the password is that of the account. An empty one never is: directories take it for an anonymous bind, and
   * agree (RFC 4513, 5.1.2). Other failures of the directory are thrown.
   */
  static async verify(provider: LdapProvider, dn: string, password: string): Promise<boolean> {
    if (dn === '' || password === '') return false;
    const connection = new DirectoryConnection(provider);
    try {
      await connection.encrypt();
      await connection.client.bind(dn, password);
      return true;
    } catch (error) {
      if (error instanceof ResultCodeError && REFUSALS.has(error.code)) return false;
      throw error;
    } finally {
      await connection.close();
    }
  }

  /** At most `most` entries; empty where the base does not exist. */
  async search(
    base: string,
    options: { scope: 'base' | 'sub'; filter: Filter; attributes: readonly string[]; most: number },
  ): Promise<DirectoryEntry[]> {
    const { scope, filter, attributes, most } = options;
    const asked: SearchOptions = {
      scope,
      filter,
      attributes: [...attributes],
      sizeLimit: most,
      ...this.limits,
    };
    try {
      const { searchEntries } = await this.client.search(base, asked);
      return searchEntries.map(entryOf);
    } catch (error) {
      if (error instanceof ResultCodeError && error.code === NO_SUCH_OBJECT) return [];
      throw error;
    }
  }

  /** All entries below the base, in pages. Throws when they are more than the provider's `maxEntries`. */
  async *pages(
    base: string,
    { filter, attributes }: { filter: Filter; attributes: readonly string[] },
  ): AsyncGenerator<DirectoryEntry[]> {
    const paged = { pageSize: PAGE_SIZE };
    const asked: SearchOptions = { scope: 'sub', filter, attributes: [...attributes], paged, ...this.limits };
    let seen = 0;
    for await (const { searchEntries } of this.client.searchPaginated(base, asked)) {
      seen += searchEntries.length;
      if (seen > this.provider.maxEntries)
        throw new Error(`the listing has more than ${this.provider.maxEntries} entries (maxEntries)`);
      yield searchEntries.map(entryOf);
    }
  }

  /** Referrals are not followed, and aliases not resolved: both lead to where the operator did not send us. */
  private get limits() {
    return { derefAliases: 'never', timeLimit: Math.ceil(this.provider.timeoutMs / 1000) } as const;
  }

  private async encrypt(): Promise<void> {
    if (this.provider.encryption !== 'start_tls') return;
    const ended = new AbortController();
    const overdue = sleep(this.provider.timeoutMs, undefined, { signal: ended.signal }).then(() => {
      throw new Error('the directory did not finish StartTLS in time');
    });
    const upgrade = this.client.startTLS(tlsOptions(this.provider));
    // Whichever loses the race may fail afterwards, when nobody asks any more.
    for (const either of [overdue, upgrade]) either.catch(() => undefined);
    try {
      await Promise.race([upgrade, overdue]);
    } finally {
      ended.abort();
    }
  }

  private once<S extends net.Socket>(connect: () => S): S {
    if (this.socket) throw new Error('the connection to the directory was lost');
    const socket = connect();
    this.socket = socket;
    return socket;
  }

  /** Nothing is left to say by then, so a directory that has gone away meanwhile is no failure. */
  private async close(): Promise<void> {
    await this.client.unbind().catch(() => undefined);
    this.socket?.destroy();
  }
}

const NO_SUCH_OBJECT = new NoSuchObjectError().code;

function tlsOptions({ host, port, tls: { ca, verifyCertificates } }: LdapProvider): tls.ConnectionOptions {
  return {
    host,
    port,
    rejectUnauthorized: verifyCertificates,
    minVersion: 'TLSv1.2',
    ...(net.isIP(host) === 0 && { servername: host }),
    ...(ca !== null && { ca }),
  };
}

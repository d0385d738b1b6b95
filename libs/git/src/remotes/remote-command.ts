import { isIPv4, isIPv6 } from 'node:net';
import type { RemoteRepository } from './remote';

/**
 * Below this many bytes a second for this many seconds, a remote counts as dead. One that counts its objects for long
 * sends five bytes every five seconds.
 */
const SLOWEST_BYTES = 1;
const SLOW_SECONDS = 120;

const CREDENTIALS = 'REMOTE_AUTHORIZATION';

/** How a git command that talks to a remote begins. */
export interface RemoteCommand {
  /** Options of git itself, before the subcommand. */
  readonly options: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly url: string;
}

/**
 * Settings under which git reaches one remote and nothing else: its addresses are given, redirects are not followed
 * (nor the "alternates" and bundles by which a server may send git elsewhere), no other protocol is spoken, and nobody
 * is asked for a password. Throws RangeError for what is no plain HTTP URL or no address.
 */
export function remoteCommand({ url, credentials, addresses }: RemoteRepository): RemoteCommand {
  const parsed = new URL(url);
  const scheme = parsed.protocol.slice(0, -1);
  if (!/^https?$/.test(scheme) || parsed.username !== '' || parsed.password !== '')
    throw new RangeError('not a plain HTTP URL');
  if (credentials !== null && /\p{Cc}/u.test(credentials))
    throw new RangeError('credentials of several lines');
  // A dot at the end names the same host, but to some versions of curl not the one whose address is given.
  parsed.hostname = parsed.hostname.replace(/\.+$/, '');
  parsed.hash = '';
  const settings = [
    'http.followRedirects=false',
    `http.lowSpeedLimit=${SLOWEST_BYTES}`,
    `http.lowSpeedTime=${SLOW_SECONDS}`,
    'http.sslVerify=true',
    'http.saveCookies=false',
    'transfer.bundleURI=false',
    'fetch.fsckObjects=false',
    'fetch.unpackLimit=1',
    // Packs are looked at in small windows, so that large ones fit into the command's limit of memory.
    'core.packedGitWindowSize=32m',
    'core.packedGitLimit=512m',
    ...pinned(parsed, addresses),
  ].flatMap((setting) => ['-c', setting]);
  return {
    options: credentials === null ? settings : [...settings, `--config-env=http.extraHeader=${CREDENTIALS}`],
    env: { GIT_ALLOW_PROTOCOL: scheme, ...(credentials !== null && { [CREDENTIALS]: basic(credentials) }) },
    url: parsed.toString(),
  };
}

/** For the host by its name, and for any other name that git might come upon. */
function pinned({ hostname, port, protocol }: URL, addresses: readonly string[]): string[] {
  if (addresses.length === 0 || !addresses.every((address) => isIPv4(address) || isIPv6(address)))
    throw new RangeError('not an address');
  const ports = port || (protocol === 'https:' ? '443' : '80');
  const list = addresses.map((address) => (isIPv6(address) ? `[${address}]` : address)).join(',');
  return [hostname, '*']
    .filter((host) => !isAddress(host))
    .map((host) => `http.curloptResolve=${host}:${ports}:${list}`);
}

const isAddress = (host: string): boolean => isIPv4(host) || host.startsWith('[');

const basic = (credentials: string): string =>
  `Authorization: Basic ${Buffer.from(credentials).toString('base64')}`;

import type { GitService } from '#libs/git';

/** What a URL of git's smart HTTP protocol asks for. */
export interface GitRequest {
  /** Full path of the project. */
  readonly fullPath: string;
  readonly service: GitService;
  readonly step: 'advertise' | 'exchange';
}

const PATH =
  /^\/(?<fullPath>[^?]+?)(?<suffix>\.git)?\/(?:(?<advertise>info\/refs)|(?<service>git-upload-pack|git-receive-pack))$/;

const serviceOf = (text: unknown): GitService | null =>
  text === 'git-upload-pack' || text === 'git-receive-pack' ? text : null;

/**
 * Reads a request's path and `service` parameter; null where they are no request of git, or one without the
 * `.git` suffix, which only `gitAddress` understands.
 */
export function gitRequest(method: string, path: string, service: unknown): GitRequest | null {
  const { fullPath, suffix, advertise, service: exchange } = PATH.exec(path)?.groups ?? {};
  if (fullPath === undefined || suffix === undefined) return null;
  const asked = serviceOf(advertise ? service : exchange);
  if (!asked || method !== (advertise ? 'GET' : 'POST')) return null;
  return { fullPath, service: asked, step: advertise ? 'advertise' : 'exchange' };
}

/** As the start of an address these would name another host to a client: `//host/…`, and `/\\host/…` to some. */
const NAMES_A_HOST = /^\/|\/\/|\\/;

/** Where a client that left out the `.git` suffix should ask instead; null for anything else. */
export function gitAddress(method: string, path: string, service: unknown): string | null {
  const { fullPath, suffix, advertise } = PATH.exec(path)?.groups ?? {};
  const asked = serviceOf(service);
  if (method !== 'GET' || suffix !== undefined || !fullPath || !advertise || !asked) return null;
  if (NAMES_A_HOST.test(fullPath)) return null;
  return `/${fullPath}.git/info/refs?service=${asked}`;
}

/** A repository of another service, reached over HTTP. */
export interface RemoteRepository {
  /** http or https, with neither user nor password in it. */
  readonly url: string;
  /** Basic credentials, "user:password"; null for none. They reach no command line and no file. */
  readonly credentials: string | null;
  /** The only addresses that are connected to, in this order: git asks no name server for the URL's host. */
  readonly addresses: readonly string[];
}

export interface RemoteLimits {
  /** For all that the network is needed for. */
  readonly timeoutMs: number;
  /** On disk, as it comes. */
  readonly mostBytes: number;
  readonly mostRefs: number;
  /** MiB for git itself, which reads lists of refs whole however long they are. */
  readonly mostMemory: number;
  readonly signal?: AbortSignal;
}

/** What a remote repository had at one moment: in a repository of its own, which sees the objects of ours as well. */
export interface RemoteCopy {
  /** As a RepositoryLocation: an absolute directory. */
  readonly location: { readonly path: string };
  /** The branch that the remote's HEAD names, null where it names none or names it in a way we could not take. */
  readonly headBranch: string | null;
  /** Full names of branches and tags, and what they point to (a tag object for an annotated tag). */
  readonly refs: readonly { readonly ref: string; readonly sha: string }[];
}

export type RemoteProblem =
  | 'unreachable' // no connection, or it broke
  | 'certificate' // not to be trusted
  | 'authentication' // credentials are needed, or others
  | 'missing' // nothing of this name there
  | 'redirect' // leads elsewhere; nobody follows
  | 'too_slow'
  | 'too_large'
  | 'protocol'; // anything else that is no answer of a git server

/** Nothing came of fetching from a remote. `stderr` is for the log only, never for a client. */
export class RemoteError extends Error {
  constructor(
    readonly problem: RemoteProblem,
    readonly stderr: string,
    options?: ErrorOptions,
  ) {
    super(`the remote repository could not be fetched: ${problem}`, options);
    this.name = 'RemoteError';
  }
}

/** What git says in the C locale; the first that fits counts. */
const SIGNS: readonly (readonly [RegExp, RemoteProblem])[] = [
  [/Authentication failed|could not read (?:Username|Password)|returned error: 40[13]\b/, 'authentication'],
  [/Out of memory|failed to (?:map|mmap)|unable to create (?:threaded|async)/i, 'too_large'],
  [/returned error: 3\d\d\b/, 'redirect'],
  [/returned error: 4(?:04|10)\b|repository '.*' not found/, 'missing'],
  [/certificate|SSL|TLS|schannel|gnutls/i, 'certificate'],
  [/Operation too slow|timed out|Timeout/i, 'too_slow'],
  [
    /Failed to connect|Couldn't connect|Could not resolve|Connection (?:refused|reset|was)|Empty reply|Recv failure|returned error: 5\d\d\b/i,
    'unreachable',
  ],
];

export const remoteFailure = (stderr: string, options?: ErrorOptions): RemoteError =>
  new RemoteError(SIGNS.find(([sign]) => sign.test(stderr))?.[1] ?? 'protocol', stderr, options);

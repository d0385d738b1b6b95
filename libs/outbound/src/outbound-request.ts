/** One request to a URL that a user gave. */
export interface OutboundRequest {
  /** With a user and password in it they become basic authentication. */
  readonly url: string;
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** For all of it: look-up, connection, the other side's thinking and its answer. */
  readonly timeoutMs: number;
  /** `verify: false` takes any certificate. */
  readonly tls: { readonly verify: boolean };
  /** Bytes of the answer's body that are kept; 65536 when not given. The rest is not read. */
  readonly mostBytes?: number;
  readonly signal?: AbortSignal;
}

/** An answer, whatever its status. Redirects are answers too: nobody follows them. */
export interface OutboundResponse {
  readonly status: number;
  /** Names in lower case; several values of one name are joined by ", ". */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** There was more of the body than was kept. */
  readonly isTruncated: boolean;
}

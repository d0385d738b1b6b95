import http, { type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';

const TIME_LIMIT_MS = 20_000;

/** What came back, undecoded. */
export class RawHttpAnswer {
  constructor(
    readonly status: number,
    readonly headers: IncomingHttpHeaders,
    readonly text: string,
  ) {}

  /** The body as JSON. Throws for anything else. */
  get body() {
    return JSON.parse(this.text);
  }
}

export interface RawHttpRequest {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is; without it no body and no Content-Length. */
  readonly body?: string | Buffer;
}

/** Sends path and body byte for byte, as libraries that normalise neither do. */
export class RawHttp {
  constructor(
    /** Of the server, without a path. */
    private readonly origin: string,
    private readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  /** `path` is put into the request line untouched, below /api/v4. */
  send(method: string, path: string, { headers = {}, body }: RawHttpRequest = {}): Promise<RawHttpAnswer> {
    const { hostname, port } = new URL(this.origin);
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    return new Promise((resolve, reject) => {
      const request = http.request(
        {
          hostname,
          port,
          method,
          path: `/api/v4${path}`,
          headers: { ...this.headers, ...length, ...headers },
          agent: false,
          timeout: TIME_LIMIT_MS,
        },
        (response) => {
          text(response).then(
            (content) => resolve(new RawHttpAnswer(response.statusCode ?? 0, response.headers, content)),
            reject,
          );
        },
      );
      request.once('timeout', () => request.destroy(new Error(`no answer: ${method} ${path}`)));
      request.once('error', reject);
      request.end(body);
    });
  }

  get = (path: string, request?: RawHttpRequest) => this.send('GET', path, request);

  /** A body of `application/json`. */
  json(method: string, path: string, body: object, headers: Readonly<Record<string, string>> = {}) {
    const sent = { 'Content-Type': 'application/json', ...headers };
    return this.send(method, path, { headers: sent, body: JSON.stringify(body) });
  }

  /** A body of `application/x-www-form-urlencoded`, already encoded. */
  form(method: string, path: string, body: string, headers: Readonly<Record<string, string>> = {}) {
    const sent = { 'Content-Type': 'application/x-www-form-urlencoded', ...headers };
    return this.send(method, path, { headers: sent, body });
  }

  /** A body of `multipart/form-data`; each part is its header lines, a blank line and its content. */
  multipart(method: string, path: string, parts: readonly string[]) {
    const boundary = '5f1d8a1e3b';
    const body = [...parts.map((part) => `--${boundary}\r\n${part}\r\n`), `--${boundary}--\r\n`].join('');
    return this.send(method, path, {
      headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
      body: Buffer.from(body, 'latin1'),
    });
  }
}

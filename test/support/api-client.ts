import type { Server } from 'node:http';
import supertest, { type Test } from 'supertest';

type Headers = Readonly<Record<string, string>>;
type Method = 'get' | 'head' | 'post' | 'put' | 'patch' | 'delete' | 'options';

/** Requests against the running application, below /api/v4 unless the path begins with /api/ or /-/. */
export class ApiClient {
  constructor(
    private readonly server: Server,
    private readonly headers: Headers = {},
  ) {}

  /** The same client with other headers added to every request. */
  with(headers: Headers): ApiClient {
    return new ApiClient(this.server, { ...this.headers, ...headers });
  }

  /** As whoever owns the token. */
  as({ token }: { token: string }): ApiClient {
    return this.with({ 'private-token': token });
  }

  get = (path: string): Test => this.request('get', path);
  head = (path: string): Test => this.request('head', path);
  options = (path: string): Test => this.request('options', path);
  post = (path: string, body?: object): Test => this.request('post', path, body);
  put = (path: string, body?: object): Test => this.request('put', path, body);
  patch = (path: string, body?: object): Test => this.request('patch', path, body);
  delete = (path: string, body?: object): Test => this.request('delete', path, body);

  private request(method: Method, path: string, body?: object): Test {
    const url = /^\/(api|-)\//.test(path) ? path : `/api/v4${path}`;
    const test = supertest(this.server)[method](url).set(this.headers);
    return body === undefined ? test : test.send(body);
  }
}

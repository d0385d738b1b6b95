/** Parsed JSON, of whatever shape: tests compare it. */
type Json = ReturnType<typeof JSON.parse>;

/** What a node answered; `body` is its JSON, null where it sent none. */
export interface NodeAnswer {
  readonly status: number;
  readonly body: Json;
}

const PATIENCE_MS = 40_000;

/** Plain requests to one node, below /api/v4. Rejects when the connection breaks. */
export class NodeClient {
  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  get = (path: string): Promise<NodeAnswer> => this.call('GET', path);
  post = (path: string, body: object): Promise<NodeAnswer> => this.call('POST', path, body);
  put = (path: string, body: object): Promise<NodeAnswer> => this.call('PUT', path, body);
  delete = (path: string): Promise<NodeAnswer> => this.call('DELETE', path);

  /** As `post`, for what must succeed: throws what was answered instead. */
  async create(path: string, body: object): Promise<Json> {
    const answer = await this.post(path, body);
    if (answer.status !== 201)
      throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  private async call(method: string, path: string, body?: object): Promise<NodeAnswer> {
    const answer = await fetch(`${this.url}/api/v4${path}`, {
      method,
      headers: { 'private-token': this.token, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
  }
}

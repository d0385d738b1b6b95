import type { LookupFunction } from 'node:net';
import { buildConnector, Client, type Dispatcher } from 'undici';
import type { PinnedAddress } from './address-rules';
import { failureOf } from './failures';
import { OutboundError } from './outbound-error';
import type { OutboundRequest, OutboundResponse } from './outbound-request';

const DEFAULT_MOST_BYTES = 64 * 1024;

/** Answers any name with the addresses that were checked: the connection cannot be led to another one. */
const pinnedTo =
  (addresses: readonly PinnedAddress[]): LookupFunction =>
  (_host, options, callback) => {
    const [first] = addresses;
    if (!first) callback(new Error('there is no address to connect to'), '', 0);
    else if (options.all) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };

/** One request over a connection of its own, and its answer. */
export class Exchange {
  private isConnected = false;
  private readonly signal: AbortSignal;
  private readonly deadline: AbortSignal;

  constructor(
    private readonly url: URL,
    private readonly request: OutboundRequest,
  ) {
    this.deadline = AbortSignal.timeout(request.timeoutMs);
    this.signal = request.signal ? AbortSignal.any([this.deadline, request.signal]) : this.deadline;
  }

  /** Throws OutboundError. `addresses` is asked once, within the time of the request. */
  async run(addresses: () => Promise<readonly PinnedAddress[]>): Promise<OutboundResponse> {
    try {
      const pinned = await Promise.race([addresses(), this.aborted()]);
      const client = this.clientFor(pinned);
      try {
        return await this.exchange(client);
      } finally {
        // Nothing is kept for a next request, which would have to be checked again.
        await client.destroy();
      }
    } catch (error) {
      throw this.stopped(error) ?? failureOf(error);
    }
  }

  private clientFor(addresses: readonly PinnedAddress[]): Client {
    const { timeoutMs, tls } = this.request;
    const connect = buildConnector({
      lookup: pinnedTo(addresses),
      timeout: timeoutMs,
      rejectUnauthorized: tls.verify,
      // The types ask for a port; the connector takes the one of the URL.
      port: 0,
    });
    return new Client(this.url.origin, {
      connect: (options, callback) =>
        connect(options, (...outcome) => {
          this.isConnected = outcome[0] === null;
          callback(...outcome);
        }),
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
  }

  private async exchange(client: Client): Promise<OutboundResponse> {
    const { method, body = null, mostBytes = DEFAULT_MOST_BYTES } = this.request;
    const path = `${this.url.pathname}${this.url.search}`;
    const answer = await client.request({ path, method, headers: this.headers(), body, signal: this.signal });
    return {
      status: answer.statusCode,
      headers: joined(answer.headers),
      ...(await this.firstBytes(answer.body, mostBytes)),
    };
  }

  /** The answer is there even where its body breaks off. */
  private async firstBytes(
    body: AsyncIterable<Uint8Array>,
    most: number,
  ): Promise<Pick<OutboundResponse, 'body' | 'isTruncated'>> {
    const chunks: Buffer[] = [];
    let size = 0;
    try {
      for await (const chunk of body) {
        const bytes = Buffer.from(chunk);
        chunks.push(bytes.subarray(0, most - size));
        size += bytes.length;
        if (size > most) break;
      }
    } catch (error) {
      if (this.signal.aborted) throw error;
      return { body: Buffer.concat(chunks), isTruncated: true };
    }
    return { body: Buffer.concat(chunks), isTruncated: size > most };
  }

  /** A user and password in the URL go into the header that is made for them. */
  private headers(): Record<string, string> {
    const { username, password } = this.url;
    if (username === '' && password === '') return { ...this.request.headers };
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return { ...this.request.headers, authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
  }

  /** For what does not listen to the signal itself. */
  private aborted(): Promise<never> {
    return new Promise((_, reject) => {
      const stop = (): void => reject(new Error('the request was stopped'));
      if (this.signal.aborted) stop();
      else this.signal.addEventListener('abort', stop, { once: true });
    });
  }

  private stopped(cause: unknown): OutboundError | null {
    if (cause instanceof OutboundError || !this.signal.aborted) return null;
    if (!this.deadline.aborted)
      return new OutboundError({ kind: 'cancelled' }, 'The request was stopped', { cause });
    const seconds = this.request.timeoutMs / 1000;
    return this.isConnected
      ? new OutboundError({ kind: 'timeout' }, `No answer came within ${seconds} seconds`, { cause })
      : new OutboundError({ kind: 'connection' }, `No connection came about within ${seconds} seconds`, {
          cause,
        });
  }
}

const joined = (headers: Dispatcher.ResponseData['headers']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );

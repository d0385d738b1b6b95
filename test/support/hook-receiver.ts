import http from 'node:http';
import https from 'node:https';
import type net from 'node:net';
import { until } from '#libs/testing';
import { DIRECTORY_CERTIFICATE, DIRECTORY_KEY } from './directory-certificate';

/** One request that came to the receiver. */
export interface ReceivedCall {
  readonly method: string;
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

type Answering = (response: http.ServerResponse, call: ReceivedCall) => void;

const parsed = (text: string): Record<string, unknown> => JSON.parse(text);

/** A server of somebody else's that hooks call. */
export class HookReceiver {
  readonly calls: ReceivedCall[] = [];
  /** What it does about a call; by default it says thanks. */
  answer: Answering = (response) => response.end('thanks');
  private readonly sockets = new Set<net.Socket>();

  private constructor(
    private readonly server: net.Server,
    private readonly scheme: 'http' | 'https',
  ) {}

  static async start({ tls = false, port = 0 } = {}): Promise<HookReceiver> {
    const listener: http.RequestListener = (request, response) => void receiver.receive(request, response);
    const server = tls
      ? https.createServer({ cert: DIRECTORY_CERTIFICATE, key: DIRECTORY_KEY }, listener)
      : http.createServer(listener);
    const receiver = new HookReceiver(server, tls ? 'https' : 'http');
    server.on('connection', (socket: net.Socket) => receiver.sockets.add(socket));
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return receiver;
  }

  get port(): number {
    const address = this.server.address();
    if (typeof address !== 'object' || address === null) throw new Error('the receiver does not listen');
    return address.port;
  }

  get url(): string {
    return `${this.scheme}://localhost:${this.port}/hook`;
  }

  /** Waits for so many calls in all, and answers them. */
  async got(count: number): Promise<readonly ReceivedCall[]> {
    await until(() => this.calls.length >= count);
    return this.calls;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async receive(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const call = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: parsed(Buffer.concat(chunks).toString()),
    };
    this.calls.push(call);
    this.answer(response, call);
  }
}

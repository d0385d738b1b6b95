import { PassThrough, type Readable } from 'node:stream';
import type { GitService, GitTransport, PushHandler } from '../git';
import type { Running } from '../processes/spawn-broker';
import { awaitAnswer, relay } from './fetch';
import { hookDeskOf } from './hook-desk';
import { protocolEnvironment, serviceBanner } from './protocol';
import { Push } from './push';
import {
  ADVERTISE_MS,
  advertiseOptions,
  DEFAULT_LIMITS,
  fetchOptions,
  type TransportLimits,
} from './settings';
import type { TransportContext } from './transport-context';

/** Smart HTTP of one repository: git's own server programs, one run a request. */
export class RepositoryTransport implements GitTransport {
  private readonly limits: TransportLimits;

  constructor(
    private readonly context: TransportContext,
    limits: Partial<TransportLimits> = {},
  ) {
    this.limits = { ...DEFAULT_LIMITS, ...limits };
  }

  /** See GitTransport. Throws GitProcessError before a byte is sent when the repository cannot be served. */
  async advertise(service: GitService, protocol: string | null): Promise<Readable> {
    const env = protocolEnvironment(protocol);
    const program = service === 'git-upload-pack' ? ['upload-pack', '--strict'] : ['receive-pack'];
    const args = [...advertiseOptions(service), ...program, '--stateless-rpc', '--advertise-refs'];
    const running = await this.stream(args, env);
    running.stdin.end();
    await awaitAnswer(running);
    const output = new PassThrough();
    output.write(serviceBanner(service, env));
    relay(running, output, { wholeMs: ADVERTISE_MS, idleMs: ADVERTISE_MS, signal: this.context.signal });
    return output;
  }

  /** See GitTransport. `body` is the plain request; it is read with back-pressure and may be of any length. */
  async uploadPack(body: Readable, protocol: string | null): Promise<Readable> {
    const args = [...fetchOptions(), 'upload-pack', '--strict', '--stateless-rpc'];
    const running = await this.stream(args, protocolEnvironment(protocol));
    const output = new PassThrough();
    relay(running, output, { ...this.limits, signal: this.context.signal }, body);
    return output;
  }

  /** See GitTransport. The answer ends only after the handler's `finished`; what the handler throws breaks it off. */
  receivePack(body: Readable, protocol: string | null, handler: PushHandler): Promise<Readable> {
    const push = new Push(this.context, hookDeskOf(this.context.broker), handler, this.limits);
    return push.start(body, protocol);
  }

  private stream(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Running> {
    const { broker, location, signal } = this.context;
    const command = { repository: location.path, args: [...args, location.path], env, signal };
    // Silence is the transfer's to limit: it also counts what the client sends.
    return broker.stream({ ...command, timeoutMs: 0 });
  }
}

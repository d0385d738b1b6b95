import { OutboundError, OutboundHttp, type OutboundResponse } from '#libs/outbound';
import { Injectable } from '@nestjs/common';
import { CHAIN_HEADER, HookChains } from './hook-chain';
import type { Outcome } from './hook-deliveries.repository';
import type { HookDelivery } from './hook-delivery.entity';
import { HOOK_KINDS } from './hook-kinds';
import { HooksRepository } from './hooks.repository';
import type { ProjectHook } from './project-hook.entity';

const TIMEOUT_MS = 10_000;
/** Of an answer the log shows so many bytes, headers and characters of each. */
const LOGGED_BYTES = 8 * 1024;
const LOGGED_HEADERS = 50;
const LOGGED_VALUE = 1_000;

/** An attempt's outcome, and whether another attempt may have a better one. */
export type Attempt = Omit<Outcome, 'isFinal'> & { readonly isWorthRepeating: boolean };

/** Calls the URLs of hooks. */
@Injectable()
export class HookCalls {
  constructor(
    private readonly hooks: HooksRepository,
    private readonly chains: HookChains,
    private readonly outbound: OutboundHttp,
  ) {}

  /** Throws what keeps the call from being made at all: it is then to be tried again. */
  async make(delivery: HookDelivery, signal: AbortSignal): Promise<Attempt> {
    const hook = await this.hooks.get(delivery.hookId);
    const requestHeaders = shownHeaders(delivery);
    const startedAt = performance.now();
    const took = () => Math.round(performance.now() - startedAt);
    const base = { url: withoutCredentials(hook.url), requestHeaders };
    try {
      const response = await this.call(hook, delivery, requestHeaders, signal);
      return { ...base, ...shownResponse(response), durationMs: took(), isWorthRepeating: false };
    } catch (error) {
      // A process that stops leaves the call to another one.
      if (!(error instanceof OutboundError) || error.problem.kind === 'cancelled') throw error;
      const isWorthRepeating = error.problem.kind === 'connection';
      return { ...base, error: error.message, durationMs: took(), isWorthRepeating };
    }
  }

  private call(
    hook: ProjectHook,
    { requestBody, root, earlierHookIds }: HookDelivery,
    shown: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<OutboundResponse> {
    const token = this.hooks.tokenOf(hook);
    const chain = this.chains.header({ root, hookIds: [...earlierHookIds, hook.id] });
    return this.outbound.request({
      url: hook.url,
      method: 'POST',
      headers: {
        ...shown,
        [CHAIN_HEADER]: chain,
        ...(token !== null && named('token', asHeader(token))),
      },
      body: requestBody,
      timeoutMs: TIMEOUT_MS,
      tls: { verify: hook.enableSslVerification },
      mostBytes: LOGGED_BYTES,
      signal,
    });
  }
}

/** The service's own name, and the reference system's: receivers that know that one look under no other. */
const named = (name: 'event' | 'token', value: string): Record<string, string> => ({
  [`x-service-${name}`]: value,
  [`x-gitlab-${name}`]: value,
});

/** What is sent to everybody and hides nothing. By the delivery's id a receiver knows a repetition. */
const shownHeaders = ({ id, kind }: HookDelivery): Record<string, string> => ({
  'content-type': 'application/json',
  'user-agent': 'Service-Hooks',
  ...named('event', HOOK_KINDS[kind].header),
  'x-service-delivery': String(id),
});

const shownResponse = ({ status, headers, body }: OutboundResponse) => ({
  responseStatus: status,
  responseHeaders: Object.fromEntries(
    Object.entries(headers)
      .slice(0, LOGGED_HEADERS)
      .map(([name, value]) => [name, value.slice(0, LOGGED_VALUE)]),
  ),
  // PostgreSQL's text holds no NUL.
  responseBody: body.toString('utf8').replaceAll('\0', '\uFFFD'),
});

/** A header's characters stand for bytes: the receiver reads the token as UTF-8. */
const asHeader = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

function withoutCredentials(text: string): string {
  const url = new URL(text);
  url.username = '';
  url.password = '';
  return url.href;
}

import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { InstallationKeys } from '../../identity/identity.api';

/** Goes out with every call and comes back where a hook's URL leads to this service itself. */
export const CHAIN_HEADER = 'x-service-hook-chain';

/** A call to ourselves comes back within the time that it is given; later it only could be replayed. */
const VALID_MS = 10 * 60_000;

const Chain = z.object({
  root: z.string(),
  hookIds: z.array(z.number()),
});

/**
 * Which hooks led to something: the hook whose call made a request to this service, the one that had been called for
 * what led to that, and so on. `root` names the first occurrence of all.
 */
export type HookChain = z.infer<typeof Chain>;

const SignedChain = Chain.extend({ madeAt: z.number() });

/** Writes chains into headers and reads them there; signed, or whoever sends one could keep hooks from being called. */
@Injectable()
export class HookChains {
  constructor(private readonly keys: InstallationKeys) {}

  header(chain: HookChain): string {
    const text = Buffer.from(JSON.stringify({ ...chain, madeAt: Date.now() })).toString('base64url');
    return `${text}.${this.signatureOf(text).toString('base64url')}`;
  }

  /** As the cause of events; null for what is not signed by this service, or long ago. */
  causeIn(header: string): string | null {
    const [text = '', signature = ''] = header.split('.');
    const expected = this.signatureOf(text);
    const given = Buffer.from(signature, 'base64url');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
    const { root, hookIds, madeAt } = SignedChain.parse(
      JSON.parse(Buffer.from(text, 'base64url').toString()),
    );
    return Date.now() - madeAt > VALID_MS ? null : JSON.stringify({ root, hookIds });
  }

  private signatureOf(text: string): Buffer {
    return createHmac('sha256', this.keys.keyFor('chains of hooks')).update(text).digest();
  }
}

/** The chain in the cause of an event; null where no hook led to it. */
export const chainOf = (cause: string | null): HookChain | null =>
  cause === null ? null : Chain.parse(JSON.parse(cause));

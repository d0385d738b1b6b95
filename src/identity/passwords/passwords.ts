import { randomBytes } from 'node:crypto';
import { Algorithm, hash, verify, type Options } from '@node-rs/argon2';
import { Injectable } from '@nestjs/common';
import { Turnstile } from './turnstile';

export const MIN_PASSWORD_LENGTH = 8;
/** Longer ones would only buy the sender computing time of ours. */
export const MAX_PASSWORD_LENGTH = 128;

/** Argon2id with 19 MiB and two passes, as OWASP recommends; `memoryCost` is in KiB. */
const COST: Options = { algorithm: Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

const nobodyKnows = (): string => randomBytes(32).toString('base64');

/** Account passwords, kept as argon2id digests. The work is done outside of the event loop. */
@Injectable()
export class Passwords {
  /** Compared with where there is no account, so that a missing one takes as long as a wrong password. */
  private decoy: Promise<string> | undefined;

  constructor(private readonly turnstile: Turnstile) {}

  /**
   * Waits for its turn: do not call it in a transaction, which would keep a connection meanwhile.
   * Throws `unavailable` when too many wait.
   */
  hash(password: string): Promise<string> {
    return this.turnstile.pass(() => hash(password, COST));
  }

  /** The digest of a password that nobody knows: the account can be entered by token only, until it is reset. */
  unknown(): Promise<string> {
    return this.hash(nobodyKnows());
  }

  /**
   * False also for a null digest (no such account, or one without a password), after the same time.
   * The caller has passed the turnstile.
   */
  async verify(digest: string | null, password: string): Promise<boolean> {
    if (password.length > MAX_PASSWORD_LENGTH) return false;
    this.decoy ??= hash(nobodyKnows(), COST);
    const matches = await verify(digest ?? (await this.decoy), password);
    return digest !== null && matches;
  }
}

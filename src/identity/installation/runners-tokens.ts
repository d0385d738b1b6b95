import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InstallationRepository } from './installation.repository';

/** Enough of the digest that nobody guesses it: 128 bits. */
const PROOF_BYTES = 16;
const NUMBER_BYTES = 8;
const TOKEN = /^[\w-]{32}$/;

/** Whose runners register with a token. */
export interface RunnersHolder {
  readonly kind: 'group' | 'project';
  readonly id: number;
}

/**
 * The secrets that CI runners register with. Derived from the installation's secret, so that none is stored: a proof
 * of who holds it, and the holder's number veiled with a key stream that the proof selects.
 */
@Injectable()
export class RunnersTokens implements OnModuleInit {
  private secret: string | undefined;

  constructor(private readonly installation: InstallationRepository) {}

  async onModuleInit(): Promise<void> {
    this.secret = await this.installation.secret();
  }

  /** Always the same for the same group or project: 32 URL-safe characters. */
  for(kind: RunnersHolder['kind'], id: number): string {
    const proof = this.proofOf({ kind, id });
    const number = Buffer.alloc(NUMBER_BYTES);
    // Groups and projects are counted apart: the lowest bit tells which.
    number.writeBigUInt64BE(BigInt(id) * 2n + (kind === 'project' ? 1n : 0n));
    return Buffer.concat([proof, this.veil(proof, number)]).toString('base64url');
  }

  /** Whose token it is; null for a text that `for` has not made. */
  holderOf(token: string): RunnersHolder | null {
    if (!TOKEN.test(token)) return null;
    const bytes = Buffer.from(token, 'base64url');
    const proof = bytes.subarray(0, PROOF_BYTES);
    const number = this.veil(proof, bytes.subarray(PROOF_BYTES)).readBigUInt64BE();
    const id = number / 2n;
    if (id > BigInt(Number.MAX_SAFE_INTEGER)) return null;
    const holder: RunnersHolder = { kind: number % 2n === 1n ? 'project' : 'group', id: Number(id) };
    return timingSafeEqual(proof, this.proofOf(holder)) ? holder : null;
  }

  private proofOf({ kind, id }: RunnersHolder): Buffer {
    return this.digest(`${kind}:${id}`).subarray(0, PROOF_BYTES);
  }

  /** Applied twice it gives back what was put in. */
  private veil(proof: Buffer, number: Buffer): Buffer {
    const stream = this.digest(`veil:${proof.toString('hex')}`);
    return Buffer.from(number.map((byte, index) => byte ^ (stream[index] ?? 0)));
  }

  private digest(text: string): Buffer {
    if (this.secret === undefined) throw new Error('the application has not started yet');
    return createHmac('sha256', this.secret).update(text).digest();
  }
}

import { createHash } from 'node:crypto';

/** A name, or a number for locks that others share. */
export type LockKey = string | bigint;

/** PostgreSQL's key of an advisory lock: a signed 64-bit number in decimal. */
export function lockId(key: LockKey): string {
  if (typeof key === 'bigint') return String(BigInt.asIntN(64, key));
  return String(createHash('sha256').update(key).digest().readBigInt64BE());
}

import { createHash, randomBytes } from 'node:crypto';

const BYTES = 20;

/** A new secret of 160 bits, in hexadecimal so that no shell, URL or header needs quotes around it. */
export const newSecret = (): string => randomBytes(BYTES).toString('hex');

const SECRET = new RegExp(`^[0-9a-f]{${2 * BYTES}}$`);

/** Whether a text could be a secret of `newSecret`. */
export const looksLikeSecret = (text: string): boolean => SECRET.test(text);

/** How secrets are stored. They cannot be guessed, so the digest needs no salt and may be searched for. */
export const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

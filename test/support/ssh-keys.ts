import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { parseKey } from 'sshpk';

type Kind = 'ed25519' | 'ecdsa' | 'rsa' | 'dsa';

/** A new public key as ssh-keygen writes it, without a comment. */
export function newSshKey(kind: Kind = 'ed25519', bits = kind === 'ecdsa' ? 256 : 2048): string {
  const pem = publicKey(kind, bits).export({ type: 'spki', format: 'pem' });
  return parseKey(pem, 'pem').toString('ssh').split(' ').slice(0, 2).join(' ');
}

function publicKey(kind: Kind, bits: number): KeyObject {
  switch (kind) {
    case 'ed25519':
      return generateKeyPairSync('ed25519').publicKey;
    case 'ecdsa':
      return generateKeyPairSync('ec', { namedCurve: `P-${bits}` }).publicKey;
    case 'rsa':
      return generateKeyPairSync('rsa', { modulusLength: bits }).publicKey;
    case 'dsa':
      return generateKeyPairSync('dsa', { modulusLength: bits, divisorLength: 256 }).publicKey;
  }
}

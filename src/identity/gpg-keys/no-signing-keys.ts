import { Injectable } from '@nestjs/common';
import { SigningKeys, type SigningKey } from './signing-keys';

/** Until users can register GPG keys (issue 3, Identity), no key is known and every signature is of an unknown one. */
@Injectable()
export class NoSigningKeys extends SigningKeys {
  withKeyId(): Promise<readonly SigningKey[]> {
    return Promise.resolve([]);
  }
}

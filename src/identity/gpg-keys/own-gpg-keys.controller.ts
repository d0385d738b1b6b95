import { signedIn } from '#libs/access';
import { Endpoint, type CallOf } from '#libs/http';
import { Controller } from '@nestjs/common';
import { presentAccepted } from '../accepted/accepted.presenter';
import { AddGpgKey, GpgKeyPath, ListGpgKeys } from './gpg-key.params';
import { presentGpgKey } from './gpg-key.presenter';
import { GpgKeys } from './gpg-keys.service';

const READ = { access: 'user', scopes: ['read_user'] } as const;

/** The caller's own keys. */
@Controller()
export class OwnGpgKeysController {
  constructor(private readonly keys: GpgKeys) {}

  @Endpoint('GET /user/gpg_keys', { ...READ, params: ListGpgKeys, paginated: true, presents: presentGpgKey })
  list({ actor, page }: CallOf<typeof ListGpgKeys>) {
    return this.keys.list(signedIn(actor), page);
  }

  @Endpoint('GET /user/gpg_keys/:key_id', { ...READ, params: GpgKeyPath, presents: presentGpgKey })
  show({ actor, params }: CallOf<typeof GpgKeyPath>) {
    return this.keys.find(signedIn(actor), params.key_id);
  }

  @Endpoint('POST /user/gpg_keys', { access: 'user', params: AddGpgKey, presents: presentGpgKey })
  add({ actor, params }: CallOf<typeof AddGpgKey>) {
    return this.keys.add(signedIn(actor), params.key);
  }

  @Endpoint('DELETE /user/gpg_keys/:key_id', { access: 'user', params: GpgKeyPath })
  remove({ actor, params, unmodifiedSince }: CallOf<typeof GpgKeyPath>) {
    return this.keys.remove(signedIn(actor), params.key_id, unmodifiedSince);
  }

  @Endpoint('POST /user/gpg_keys/:key_id/revoke', {
    access: 'user',
    params: GpgKeyPath,
    status: 202,
    presents: presentAccepted,
  })
  revoke({ actor, params }: CallOf<typeof GpgKeyPath>) {
    return this.keys.revoke(signedIn(actor), params.key_id);
  }
}

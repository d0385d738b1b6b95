import { Endpoint, type CallOf } from '#libs/http';
import { Controller } from '@nestjs/common';
import { presentAccepted } from '../accepted/accepted.presenter';
import { AddUserGpgKey, ListUserGpgKeys, UserGpgKeyPath } from './gpg-key.params';
import { presentGpgKey } from './gpg-key.presenter';
import { GpgKeys } from './gpg-keys.service';

/** Keys of others, for administrators. */
@Controller()
export class GpgKeysController {
  constructor(private readonly keys: GpgKeys) {}

  @Endpoint('GET /users/:id/gpg_keys', {
    access: 'admin',
    accessFirst: 'admin',
    scopes: ['read_user'],
    params: ListUserGpgKeys,
    paginated: true,
    presents: presentGpgKey,
  })
  list({ params, page }: CallOf<typeof ListUserGpgKeys>) {
    return this.keys.listOf(params.id, page);
  }

  @Endpoint('POST /users/:id/gpg_keys', { access: 'admin', params: AddUserGpgKey, presents: presentGpgKey })
  add({ params }: CallOf<typeof AddUserGpgKey>) {
    return this.keys.addFor(params.id, params.key);
  }

  @Endpoint('DELETE /users/:id/gpg_keys/:key_id', { access: 'admin', params: UserGpgKeyPath })
  remove({ params, unmodifiedSince }: CallOf<typeof UserGpgKeyPath>) {
    return this.keys.removeFor(params.id, params.key_id, unmodifiedSince);
  }

  @Endpoint('POST /users/:id/gpg_keys/:key_id/revoke', {
    access: 'admin',
    params: UserGpgKeyPath,
    status: 202,
    presents: presentAccepted,
  })
  revoke({ params }: CallOf<typeof UserGpgKeyPath>) {
    return this.keys.revokeFor(params.id, params.key_id);
  }
}

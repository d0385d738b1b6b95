import { Endpoint, type CallOf } from '#libs/http';
import { Controller } from '@nestjs/common';
import { CreateUserKey, KeyOfAnybody, ListUserKeys, UserKeyPath } from './ssh-key.params';
import { presentOwnedSshKey, presentSshKey } from './ssh-key.presenter';
import { SshKeys } from './ssh-keys.service';

/** Keys of others: public to read, for administrators to change. */
@Controller()
export class SshKeysController {
  constructor(private readonly keys: SshKeys) {}

  @Endpoint('GET /users/:id/keys', {
    access: 'anyone',
    scopes: ['read_user'],
    params: ListUserKeys,
    paginated: true,
    presents: presentSshKey,
  })
  list({ params, page }: CallOf<typeof ListUserKeys>) {
    return this.keys.listOf(params.id, page);
  }

  @Endpoint('POST /users/:id/keys', { access: 'admin', params: CreateUserKey, presents: presentSshKey })
  create({ params }: CallOf<typeof CreateUserKey>) {
    return this.keys.addFor(params.id, params);
  }

  @Endpoint('DELETE /users/:id/keys/:key_id', { access: 'admin', params: UserKeyPath })
  remove({ params, unmodifiedSince }: CallOf<typeof UserKeyPath>) {
    return this.keys.removeFor(params.id, params.key_id, unmodifiedSince);
  }

  @Endpoint('GET /keys/:id', { access: 'admin', params: KeyOfAnybody, presents: presentOwnedSshKey })
  show({ actor, params }: CallOf<typeof KeyOfAnybody>) {
    return this.keys.findWithOwner(actor, params.id);
  }
}

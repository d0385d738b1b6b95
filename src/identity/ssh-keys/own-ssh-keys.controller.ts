import { signedIn } from '#libs/access';
import { Endpoint, type CallOf } from '#libs/http';
import { Controller } from '@nestjs/common';
import { CreateKey, KeyPath, ListKeys } from './ssh-key.params';
import { presentSshKey } from './ssh-key.presenter';
import { SshKeys } from './ssh-keys.service';

const READ = { access: 'user', scopes: ['read_user'] } as const;

/** The caller's own keys. */
@Controller()
export class OwnSshKeysController {
  constructor(private readonly keys: SshKeys) {}

  @Endpoint('GET /user/keys', { ...READ, params: ListKeys, paginated: true, presents: presentSshKey })
  list({ actor, page }: CallOf<typeof ListKeys>) {
    return this.keys.list(signedIn(actor), page);
  }

  @Endpoint('GET /user/keys/:key_id', { ...READ, params: KeyPath, presents: presentSshKey })
  show({ actor, params }: CallOf<typeof KeyPath>) {
    return this.keys.find(signedIn(actor), params.key_id);
  }

  @Endpoint('POST /user/keys', { access: 'user', params: CreateKey, presents: presentSshKey })
  create({ actor, params }: CallOf<typeof CreateKey>) {
    return this.keys.add(signedIn(actor), params);
  }

  @Endpoint('DELETE /user/keys/:key_id', { access: 'user', params: KeyPath })
  remove({ actor, params, unmodifiedSince }: CallOf<typeof KeyPath>) {
    return this.keys.remove(signedIn(actor), params.key_id, unmodifiedSince);
  }
}

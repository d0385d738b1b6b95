import { Endpoint, type CallOf } from '#libs/http';
import { Controller } from '@nestjs/common';
import { UserAttributes } from './user-attributes.service';
import { SetUserAttribute, UserAttributePath, UserPath } from './custom-attribute.params';
import { presentCustomAttribute } from './custom-attribute.presenter';

const ADMIN = { access: 'admin', presents: presentCustomAttribute } as const;
const READ = { ...ADMIN, scopes: ['read_user'] } as const;

@Controller()
export class UserAttributesController {
  constructor(private readonly attributes: UserAttributes) {}

  @Endpoint('GET /users/:id/custom_attributes', { ...READ, params: UserPath, paginated: true })
  list({ params, page }: CallOf<typeof UserPath>) {
    return this.attributes.list(params.id, page);
  }

  @Endpoint('GET /users/:id/custom_attributes/:key', { ...READ, params: UserAttributePath })
  show({ params }: CallOf<typeof UserAttributePath>) {
    return this.attributes.show(params.id, params.key);
  }

  @Endpoint('PUT /users/:id/custom_attributes/:key', { ...ADMIN, params: SetUserAttribute })
  set({ params }: CallOf<typeof SetUserAttribute>) {
    return this.attributes.set(params.id, params);
  }

  @Endpoint('DELETE /users/:id/custom_attributes/:key', { access: 'admin', params: UserAttributePath })
  remove({ params }: CallOf<typeof UserAttributePath>) {
    return this.attributes.remove(params.id, params.key);
  }
}

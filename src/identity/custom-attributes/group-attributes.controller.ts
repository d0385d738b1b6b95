import { Endpoint, type GroupCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { AttributePath, OwnerPath, SetAttribute } from './custom-attribute.params';
import { presentCustomAttribute } from './custom-attribute.presenter';
import { CustomAttributes, type AttributeOwner } from './custom-attributes.service';

/** As in the reference, who may not see the group is told that there is none, before who is no administrator is refused. */
const ADMIN = { accessFirst: 'group:reader', access: 'admin' } as const;

const owner = ({ id }: { readonly id: number }): AttributeOwner => ({ kind: 'group', id });

@Controller()
export class GroupAttributesController {
  constructor(private readonly attributes: CustomAttributes) {}

  @Endpoint('GET /groups/:id/custom_attributes', {
    ...ADMIN,
    params: OwnerPath,
    presents: presentCustomAttribute,
    paginated: true,
  })
  list({ subject: group, page }: GroupCall<typeof OwnerPath>) {
    return this.attributes.list(owner(group), page);
  }

  @Endpoint('GET /groups/:id/custom_attributes/:key', {
    ...ADMIN,
    params: AttributePath,
    presents: presentCustomAttribute,
  })
  show({ subject: group, params }: GroupCall<typeof AttributePath>) {
    return this.attributes.show(owner(group), params.key);
  }

  @Endpoint('PUT /groups/:id/custom_attributes/:key', {
    ...ADMIN,
    params: SetAttribute,
    presents: presentCustomAttribute,
  })
  set({ subject: group, params }: GroupCall<typeof SetAttribute>) {
    return this.attributes.set(owner(group), params);
  }

  @Endpoint('DELETE /groups/:id/custom_attributes/:key', { ...ADMIN, params: AttributePath })
  remove({ subject: group, params }: GroupCall<typeof AttributePath>) {
    return this.attributes.remove(owner(group), params.key);
  }
}

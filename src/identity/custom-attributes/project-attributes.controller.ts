import { Endpoint, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { AttributePath, OwnerPath, SetAttribute } from './custom-attribute.params';
import { presentCustomAttribute } from './custom-attribute.presenter';
import { CustomAttributes, type AttributeOwner } from './custom-attributes.service';

/** As in the reference, who may not see the project is told that there is none, before who is no administrator is refused. */
const ADMIN = { accessFirst: 'project:reader', access: 'admin' } as const;

const owner = ({ id }: { readonly id: number }): AttributeOwner => ({ kind: 'project', id });

@Controller()
export class ProjectAttributesController {
  constructor(private readonly attributes: CustomAttributes) {}

  @Endpoint('GET /projects/:id/custom_attributes', {
    ...ADMIN,
    params: OwnerPath,
    presents: presentCustomAttribute,
    paginated: true,
  })
  list({ subject: project, page }: ProjectCall<typeof OwnerPath>) {
    return this.attributes.list(owner(project), page);
  }

  @Endpoint('GET /projects/:id/custom_attributes/:key', {
    ...ADMIN,
    params: AttributePath,
    presents: presentCustomAttribute,
  })
  show({ subject: project, params }: ProjectCall<typeof AttributePath>) {
    return this.attributes.show(owner(project), params.key);
  }

  @Endpoint('PUT /projects/:id/custom_attributes/:key', {
    ...ADMIN,
    params: SetAttribute,
    presents: presentCustomAttribute,
  })
  set({ subject: project, params }: ProjectCall<typeof SetAttribute>) {
    return this.attributes.set(owner(project), params);
  }

  @Endpoint('DELETE /projects/:id/custom_attributes/:key', { ...ADMIN, params: AttributePath })
  remove({ subject: project, params }: ProjectCall<typeof AttributePath>) {
    return this.attributes.remove(owner(project), params.key);
  }
}

import { Endpoint, type CallOf } from '#libs/http';
import { Controller } from '@nestjs/common';
import { ListNamespaces, ReadNamespace } from './namespace.params';
import { presentNamespace } from './namespace.presenter';
import { Namespaces } from './namespaces.service';

@Controller()
export class NamespacesController {
  constructor(private readonly namespaces: Namespaces) {}

  @Endpoint('GET /namespaces', {
    access: 'user',
    params: ListNamespaces,
    paginated: true,
    presents: presentNamespace,
  })
  list({ actor, params, page }: CallOf<typeof ListNamespaces>) {
    return this.namespaces.list(actor, params.search, page);
  }

  @Endpoint('GET /namespaces/:id', { access: 'user', params: ReadNamespace, presents: presentNamespace })
  show({ actor, params }: CallOf<typeof ReadNamespace>) {
    return this.namespaces.show(actor, params.id);
  }
}

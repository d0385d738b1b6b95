import { notFound } from '#libs/errors';
import { Endpoint, type ScimCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import type { ScimGroup } from '../gate/scim-group';
import { RESOURCE_TYPE, USER_SCHEMA_ID } from './discovery';
import { Discover, DiscoverOne } from './discovery.params';
import {
  presentResourceType,
  presentResourceTypes,
  presentSchema,
  presentSchemas,
  presentServiceProvider,
} from './discovery.presenter';

/** RFC 7644, 4: what an identity provider can find out of this service by itself. */
@Controller()
export class DiscoveryController {
  @Endpoint('GET /api/scim/v2/groups/:group_path/ServiceProviderConfig', {
    access: 'scim',
    params: Discover,
    presents: presentServiceProvider,
  })
  serviceProvider({ subject }: ScimCall<typeof Discover>): ScimGroup {
    return subject;
  }

  @Endpoint('GET /api/scim/v2/groups/:group_path/ResourceTypes', {
    access: 'scim',
    params: Discover,
    presents: presentResourceTypes,
  })
  resourceTypes({ subject }: ScimCall<typeof Discover>): ScimGroup {
    return subject;
  }

  @Endpoint('GET /api/scim/v2/groups/:group_path/ResourceTypes/:name', {
    access: 'scim',
    params: DiscoverOne,
    presents: presentResourceType,
  })
  resourceType({ subject, params }: ScimCall<typeof DiscoverOne>): ScimGroup {
    if (params.name !== RESOURCE_TYPE.id) throw notFound();
    return subject;
  }

  @Endpoint('GET /api/scim/v2/groups/:group_path/Schemas', {
    access: 'scim',
    params: Discover,
    presents: presentSchemas,
  })
  schemas({ subject }: ScimCall<typeof Discover>): ScimGroup {
    return subject;
  }

  @Endpoint('GET /api/scim/v2/groups/:group_path/Schemas/:name', {
    access: 'scim',
    params: DiscoverOne,
    presents: presentSchema,
  })
  schema({ subject, params }: ScimCall<typeof DiscoverOne>): ScimGroup {
    if (params.name.toLowerCase() !== USER_SCHEMA_ID.toLowerCase()) throw notFound();
    return subject;
  }
}

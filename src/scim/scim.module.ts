import { ScimGate } from '#libs/http';
import { Global, Module } from '@nestjs/common';
import { IdentityModule } from '../identity/identity.module';
import { DiscoveryController } from './discovery/discovery.controller';
import { ScimDoor } from './gate/scim-door';
import { ScimTokensRepository } from './gate/scim-tokens.repository';
import { ScimSettingsController } from './settings/scim-settings.controller';
import { ScimSettingsService } from './settings/scim-settings.service';
import { ScimChanges } from './users/scim-changes.service';
import { ScimMembership } from './users/scim-membership.service';
import { ScimProvisioning } from './users/scim-provisioning.service';
import { ScimUsersController } from './users/scim-users.controller';
import { ScimUsersRepository } from './users/scim-users.repository';
import { ScimUsers } from './users/scim-users.service';

/** SCIM 2.0: identity providers of groups bring their users, and take them away. Global for its gate. */
@Global()
@Module({
  imports: [IdentityModule],
  controllers: [ScimSettingsController, ScimUsersController, DiscoveryController],
  providers: [
    { provide: ScimGate, useClass: ScimDoor },
    ScimChanges,
    ScimMembership,
    ScimProvisioning,
    ScimSettingsService,
    ScimTokensRepository,
    ScimUsers,
    ScimUsersRepository,
  ],
  exports: [ScimGate],
})
export class ScimModule {}

import { Endpoint, params } from '#libs/http';
import { Controller } from '@nestjs/common';
import { Version } from './version';
import { presentMetadata, presentVersion } from './version.presenter';

const READ = { access: 'user', params: params({}), scopes: ['read_user'] } as const;

@Controller()
export class VersionController {
  constructor(private readonly version: Version) {}

  @Endpoint('GET /version', { ...READ, presents: presentVersion })
  show() {
    return this.version;
  }

  @Endpoint('GET /metadata', { ...READ, presents: presentMetadata })
  metadata() {
    return this.version;
  }
}

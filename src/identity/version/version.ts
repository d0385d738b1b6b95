import { Injectable, type OnModuleInit } from '@nestjs/common';
import { revisionOf } from './revision';

/** The release of the reference system whose API this is; clients read it to know what they may ask for. */
const COMPATIBLE_WITH = '12.4.0-ee';

@Injectable()
export class Version implements OnModuleInit {
  readonly version = COMPATIBLE_WITH;
  revision = 'unknown';

  async onModuleInit(): Promise<void> {
    this.revision = await revisionOf(__dirname);
  }
}

import { Module, type DynamicModule } from '@nestjs/common';
import { NameResolver, SystemNameResolver } from './name-resolver';
import { OutboundHttp } from './outbound-http';
import { OUTBOUND_OPTIONS, type OutboundOptions } from './outbound-options';

/** Provides OutboundHttp everywhere. */
@Module({})
export class OutboundModule {
  static forRoot(options: OutboundOptions): DynamicModule {
    return {
      module: OutboundModule,
      global: true,
      providers: [
        { provide: OUTBOUND_OPTIONS, useValue: options },
        { provide: NameResolver, useClass: SystemNameResolver },
        OutboundHttp,
      ],
      exports: [OutboundHttp],
    };
  }
}

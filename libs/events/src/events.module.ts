import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Events } from './events';
import { Outbox } from './outbox';
import { OutboxClearing } from './outbox-clearing';

/** Provides Events everywhere and delivers to every EventSubscriber among the application's providers. */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [Events, Outbox, OutboxClearing],
  exports: [Events],
})
export class EventsModule {}

import { DiscoveryModule } from '@nestjs/core';
import { HookAttempts } from './hook-attempts.service';
import { CallHook } from './hook-call.job';
import { HookCalls } from './hook-calls.service';
import { HookChains } from './hook-chain';
import { HookChainReading } from './hook-chain.middleware';
import { HookDeliveriesRepository } from './hook-deliveries.repository';
import { HookDeliveries } from './hook-deliveries.service';
import { HookDelivery } from './hook-delivery.entity';
import { HookDispatch } from './hook-dispatch.subscriber';
import { HookEvents } from './hook-events';
import { HookRecords } from './hook-records';
import { HookTests } from './hook-tests.service';
import { HooksController } from './hooks.controller';
import { HooksRepository } from './hooks.repository';
import { HooksService } from './hooks.service';
import { ClearOldDeliveries } from './old-deliveries.job';
import { ProjectHook } from './project-hook.entity';
import { PushHookEvent } from './push-hook-event';
import { PushedCommits } from './pushed-commits';
import { CallSlowHook } from './slow-hook-call.job';

/** Hooks of projects, as the repository module takes them up. */
export const HOOKS = {
  imports: [DiscoveryModule],
  entities: [HookDelivery, ProjectHook],
  controllers: [HooksController],
  /** For the events of higher contexts. */
  published: [HookRecords],
  providers: [
    ClearOldDeliveries,
    CallHook,
    CallSlowHook,
    HookAttempts,
    HookCalls,
    HookChainReading,
    HookChains,
    HookDeliveries,
    HookDeliveriesRepository,
    HookDispatch,
    HookEvents,
    HookTests,
    HooksRepository,
    HooksService,
    PushHookEvent,
    PushedCommits,
  ],
} as const;

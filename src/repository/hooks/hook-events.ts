import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { HookEvent } from './hook-event';

/** All kinds of events that hooks are told of, whichever module provides them. */
@Injectable()
export class HookEvents {
  private found: readonly HookEvent[] | undefined;

  constructor(private readonly discovery: DiscoveryService) {}

  /** Complete once all modules are made. */
  get all(): readonly HookEvent[] {
    this.found ??= [
      ...new Set(
        this.discovery
          .getProviders()
          .map((provider): unknown => provider.instance)
          .filter((instance): instance is HookEvent => instance instanceof HookEvent),
      ),
    ];
    return this.found;
  }
}

import { causedBy } from '#libs/events';
import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { CHAIN_HEADER, HookChains } from './hook-chain';

/** What a request does that was made by a hook of this service is known to have come of it. */
@Injectable()
export class HookChainReading {
  constructor(private readonly chains: HookChains) {}

  use(request: Request, _response: Response, next: NextFunction): void {
    const header = request.get(CHAIN_HEADER);
    const cause = header === undefined ? null : this.chains.causeIn(header);
    if (cause === null) next();
    else causedBy(cause, next);
  }
}

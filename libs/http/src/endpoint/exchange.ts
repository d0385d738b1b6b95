import type { View } from '#libs/presenting';
import type { ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Call } from './call';

/** A request that the guard has let pass, on its way to the handler and from there to the presenter. */
export interface Exchange {
  readonly call: Call<unknown, unknown>;
  readonly view: View;
  readonly request: Request;
  readonly response: Response;
}

declare module 'express-serve-static-core' {
  interface Request {
    /** Absent until a guard has let the request pass. */
    exchange?: Exchange;
  }
}

/** The exchange of the request at hand. Throws where no guard has run, which only a wrong wiring can cause. */
export function exchangeOf(context: ExecutionContext): Exchange {
  const { exchange } = context.switchToHttp().getRequest<Request>();
  if (!exchange)
    throw new Error(`no guard has prepared ${context.getClass().name}.${context.getHandler().name}`);
  return exchange;
}

/** Id of the user behind a request, for the log; null for anonymous callers and where no guard has let it pass. */
export const callerIdOf = ({ exchange }: Request): number | null => exchange?.call.actor.user?.id ?? null;

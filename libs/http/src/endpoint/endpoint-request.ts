import type { ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Call } from './call';

/** The call that the guard made of a request, kept beside it until the handler and the presenter have used it. */
const calls = new WeakMap<Request, Call<unknown, unknown>>();

export const keepCall = (request: Request, call: Call<unknown, unknown>): void =>
  void calls.set(request, call);

/** The call of the request at hand. Throws where no guard has run, which only a wrong wiring can cause. */
export function callOf(context: ExecutionContext): Call<unknown, unknown> {
  const call = calls.get(context.switchToHttp().getRequest<Request>());
  if (!call) throw new Error(`no guard has prepared ${context.getClass().name}.${context.getHandler().name}`);
  return call;
}

/** Id of the user behind a request, for the log; null for anonymous callers and where no guard has let it pass. */
export const callerIdOf = (request: Request): number | null => calls.get(request)?.actor.user?.id ?? null;

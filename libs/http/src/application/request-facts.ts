import type { Request, Response } from 'express';

/** The client's address as the socket, or a trusted proxy's header, tells it. */
export const addressOf = (request: Request): string => request.ip ?? request.socket.remoteAddress ?? '';

/** Null for an absent or unreadable date, which conditional requests ignore. */
export function parseHttpDate(text: string | undefined): Date | null {
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? null : new Date(time);
}

const signals = new WeakMap<Response, AbortSignal>();

/** A signal that fires when the connection closes before the answer is complete; made on first use. */
export function abortedWithClient(response: Response): AbortSignal {
  const known = signals.get(response);
  if (known) return known;
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  signals.set(response, controller.signal);
  return controller.signal;
}

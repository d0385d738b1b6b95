import { isKeysetPage, isPage } from '#libs/paging';
import type { Presenter, Urls, View } from '#libs/presenting';
import type { Response } from 'express';
import type { Exchange } from '../endpoint/exchange';
import type { Protocol } from '../endpoint/row';
import { SCIM_TYPE } from '../errors/scim-error-body';
import { keysetHeaders, pageHeaders } from './pagination-headers';
import { RawAnswer } from './raw-answer';
import { sendRaw } from './send-raw';

/** What of an endpoint's definition tells how its answers look. */
interface Presentation {
  readonly protocol: Protocol;
  readonly status: number;
  readonly options: {
    readonly presents?: Presenter<never>;
    readonly headers?: (entity: never, urls: Urls) => Readonly<Record<string, string>>;
  };
}

/** What goes over the wire for what a handler returned: presented, with pagination and record headers. */
export function presented(definition: Presentation, exchange: Exchange, result: unknown): unknown {
  const { request, response, view } = exchange;
  if (result instanceof RawAnswer) return sendRaw(request, response, result);
  if (definition.status === 204) return undefined;
  if (definition.protocol === 'scim') response.setHeader('Content-Type', SCIM_TYPE);
  const { presents, headers } = definition.options;
  if (isPage(result) || isKeysetPage(result)) {
    paginate(exchange, result);
    return presentAll(presents, result.rows, view);
  }
  if (Array.isArray(result)) return presentAll(presents, result, view);
  if (headers && isPresentable(result)) response.set(headers(result, view.urls));
  return json(response, presents && isPresentable(result) ? presents(result, view) : result);
}

function paginate({ call, view, request, response }: Exchange, page: unknown): void {
  const { base } = view.urls;
  if (isPage(page)) response.set(pageHeaders(page, call.page, base, request.originalUrl));
  else if (isKeysetPage(page)) response.set(keysetHeaders(page, base, request.originalUrl));
}

/**
 * The decorator has tied the handler's result to its presenter; at run time both are unknown, and the definition
 * types its presenter as one of `never` so that only this narrowing can call it.
 */
const isPresentable = (value: unknown): value is never => value !== null && value !== undefined;

const presentAll = (
  presents: Presenter<never> | undefined,
  rows: readonly unknown[],
  view: View,
): unknown[] => (presents ? rows.filter(isPresentable).map((row) => presents(row, view)) : [...rows]);

/** Nest sends anything but an object as text; JSON has null, true and numbers at the top too. */
function json(response: Response, value: unknown): unknown {
  if (typeof value === 'object' && value !== null) return value;
  response.setHeader('Content-Type', 'application/json');
  return Buffer.from(JSON.stringify(value ?? null));
}

import { isKeysetPage, isPage } from '#libs/paging';
import { Urls, type Presenter, type View } from '#libs/presenting';
import { License } from '#libs/tiers';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { map, type Observable } from 'rxjs';
import type { Call } from '../endpoint/call';
import { ENDPOINT, type EndpointDefinition } from '../endpoint/endpoint';
import { callOf } from '../endpoint/endpoint-request';
import { keysetHeaders, pageHeaders } from './pagination-headers';
import { SCIM_TYPE } from '../errors/scim-error-body';
import { RawAnswer } from './raw-answer';
import { sendRaw } from './send-raw';

interface Exchange {
  readonly definition: EndpointDefinition;
  readonly call: Call<unknown, unknown>;
  readonly request: Request;
  readonly response: Response;
}

/** Turns what a handler returned into what goes over the wire: presented, with pagination and record headers. */
@Injectable()
export class PresentingInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly urls: Urls,
    private readonly license: License,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const definition = this.reflector.get<EndpointDefinition | undefined>(ENDPOINT, context.getHandler());
    if (!definition) return next.handle();
    const http = context.switchToHttp();
    const exchange: Exchange = {
      definition,
      call: callOf(context),
      request: http.getRequest<Request>(),
      response: http.getResponse<Response>(),
    };
    return next.handle().pipe(map((result: unknown) => this.answer(exchange, result)));
  }

  private answer(exchange: Exchange, result: unknown): unknown {
    if (result instanceof RawAnswer) return sendRaw(exchange.request, exchange.response, result);
    if (exchange.definition.status === 204) return undefined;
    if (exchange.definition.protocol === 'scim') exchange.response.setHeader('Content-Type', SCIM_TYPE);
    const { presents, headers } = exchange.definition.options;
    const view: View = { actor: exchange.call.actor, urls: this.urls, license: this.license };
    if (isPage(result) || isKeysetPage(result)) {
      this.paginate(exchange, result);
      return presentAll(presents, result.rows, view);
    }
    if (Array.isArray(result)) return presentAll(presents, result, view);
    if (headers && isPresentable(result)) exchange.response.set(headers(result, this.urls));
    return json(exchange.response, presents && isPresentable(result) ? presents(result, view) : result);
  }

  private paginate({ call, request, response }: Exchange, page: unknown): void {
    if (isPage(page)) response.set(pageHeaders(page, call.page, this.urls.base, request.originalUrl));
    else if (isKeysetPage(page)) response.set(keysetHeaders(page, this.urls.base, request.originalUrl));
  }
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

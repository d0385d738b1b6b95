import type { Access, Scope } from '#libs/access';
import type { KeysetPage, Page } from '#libs/paging';
import type { Presenter, Urls } from '#libs/presenting';
import type { Feature } from '#libs/tiers';
import {
  applyDecorators,
  createParamDecorator,
  HttpCode,
  RequestMapping,
  RequestMethod,
  SetMetadata,
} from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { ParamsOf, ParamsSchema } from '../parameters/params';
import { presented } from '../responses/presented';
import type { RawAnswer } from '../responses/raw-answer';
import type { Call, SubjectOf } from './call';
import { type Exchange, exchangeOf } from './exchange';
import { parseRow, type HttpMethod, type Protocol } from './row';

/** What a handler may return: something to present, a page of it, raw bytes, or nothing. */
export type Answer<Entity> =
  Entity | readonly Entity[] | Page<Entity> | KeysetPage<Entity> | RawAnswer | null | void;

/** The subject that a row's path names: the guard loads it, nobody else does. */
type SubjectAt<Row extends string> = Row extends
  `${string} /projects/:id` | `${string} /projects/:id/${string}`
  ? SubjectOf<'project'>
  : Row extends `${string} /groups/:id` | `${string} /groups/:id/${string}`
    ? SubjectOf<'group'>
    : Row extends `${string} /api/scim/${string}`
      ? SubjectOf<'scim'>
      : null;

export interface EndpointOptions<Schema extends ParamsSchema, Entity> {
  /** Who may call. There is no endpoint without it. */
  readonly access: Access;
  /** Checked before the parameters, where the reference authorises in a filter: its 404 and 403 win over a 400. */
  readonly accessFirst?: Access;
  /** The reference's login filter: 401 wins over everything. By default on for all but GET and HEAD. */
  readonly loginFirst?: boolean;
  readonly params: ParamsSchema & Schema;
  /** Scopes that do besides `api` (and `read_api` for reads). */
  readonly scopes?: readonly Scope[];
  /** Hidden (404) where the licence lacks the feature. */
  readonly feature?: Feature;
  /** Refused (403) instead, to those who pass `accessFirst`, where the reference says so. */
  readonly saysUnlicensed?: boolean;
  /** CI job tokens are accepted. */
  readonly jobToken?: boolean;
  /**
   * The handler checks a credential of its own kind, such as a runner's: nobody is signed in here, whatever else the
   * request shows.
   */
  readonly ownCredential?: boolean;
  /** Default: 200 for GET and PUT, 201 for POST, 204 for DELETE. */
  readonly status?: number;
  readonly presents?: Presenter<Entity>;
  /** Response headers that repeat parts of the record, or say where it is. */
  readonly headers?: (entity: Entity, urls: Urls) => Readonly<Record<string, string>>;
  /** The answer is a list in pages: adds page and per_page, and the pagination headers. */
  readonly paginated?: boolean;
}

/** An endpoint as the guards, the OpenAPI document, the coverage report and the access matrix see it. */
export interface EndpointDefinition {
  /** The specification's row, letter for letter. */
  readonly row: string;
  readonly method: HttpMethod;
  /** Path below the service's base URL, `/api/v4` included. */
  readonly path: string;
  readonly protocol: Protocol;
  readonly subject: 'project' | 'group' | null;
  readonly status: number;
  readonly loginFirst: boolean;
  readonly options: Omit<EndpointOptions<ParamsSchema, never>, 'status' | 'loginFirst'>;
}

export const ENDPOINT = Symbol('endpoint');

const STATUS_OF: Record<HttpMethod, number> = {
  GET: 200,
  HEAD: 200,
  POST: 201,
  PUT: 200,
  PATCH: 200,
  DELETE: 204,
};

const ExchangeParameter = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  exchangeOf(context),
);

/** A group's full path has slashes, which identity providers send plain or encoded, as an administrator pasted them. */
const withPlainSlashes = (path: string): string => path.replace('/:group_path/', '/*group_path/');

/** A literal end or a numeric id may carry the reference's `.json` suffix; a name or path keeps its dots. */
const withOptionalSuffix = (path: string): string =>
  /(\/[a-z_]+|_iid|_id)$/.test(path) ? `${path}{.json}` : path;

/** The reference takes whatever is about epics with a dash before it, too, as in the addresses of their pages. */
const withOptionalDash = (path: string): string => path.replace('/groups/:id/epics', '/groups/:id{/-}/epics');

/**
 * The only route decorator. `row` is the specification's row, so that searching for it finds the handler;
 * the handler takes one argument, its Call, and returns what `presents` presents.
 */
export function Endpoint<const Row extends string, Schema extends ParamsSchema, Entity = never>(
  row: Row,
  options: EndpointOptions<Schema, Entity>,
) {
  const { method, path, protocol, subject } = parseRow(row);
  const { status = STATUS_OF[method], loginFirst = method !== 'GET' && method !== 'HEAD', ...rest } = options;
  const definition: EndpointDefinition = {
    row,
    method,
    path,
    protocol,
    subject,
    status,
    loginFirst,
    options: rest,
  };
  const route = applyDecorators(
    SetMetadata(ENDPOINT, definition),
    RequestMapping({
      method: RequestMethod[method],
      path: withOptionalDash(withPlainSlashes(withOptionalSuffix(path))),
    }),
    HttpCode(status),
  );
  return <
    H extends (call: Call<ParamsOf<Schema>, SubjectAt<Row>>) => Answer<Entity> | Promise<Answer<Entity>>,
  >(
    target: object,
    key: string,
    descriptor: TypedPropertyDescriptor<H>,
  ): void => {
    ExchangeParameter()(target, key, 0);
    presentResult(definition, descriptor);
    route(target, key, descriptor);
  };
}

/**
 * Gives the handler its call and presents what it returns. Not by an interceptor: with a single one for all, Nest
 * drives every request through some twenty RxJS objects.
 */
function presentResult(definition: EndpointDefinition, descriptor: PropertyDescriptor): void {
  const handler: unknown = descriptor.value;
  if (typeof handler !== 'function') throw new TypeError(`${definition.row} is on no method`);
  Reflect.set(descriptor, 'value', async function (this: unknown, exchange: Exchange): Promise<unknown> {
    const result: unknown = await Reflect.apply(handler, this, [exchange.call]);
    return presented(definition, exchange, result);
  });
}

import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { badRequest } from '#libs/errors';
import { BodiesInFlight, takenFrom } from './bodies-in-flight';
import { bytesOf, discardRest } from './body-bytes';
import { type BodyLimits, bodyLimitsOf } from './body-limits';
import { decodeChunks } from './body-text';
import { isJson, readContentType } from './content-type';
import { readJson } from './json-body';
import { type BodyRoom, multipartLimit, readMultipart } from './multipart-body';
import { parseLargeRack, parseRack } from './rack-parameters';
import { TemporaryFiles } from './temporary-files';
import { emptyBag, isBag, type ParameterBag, type ParameterValue } from './values';

export type { ParameterBag } from './values';

declare module 'express-serve-static-core' {
  interface Request {
    /** All parameters of query and body; the body wins. Path parameters are not among them. */
    parameters?: ParameterBag;
    /** The JSON body as it came, whatever its type; absent when there was none. */
    rawJson?: ParameterValue;
  }
}

export interface BodyOptions {
  /** Requests whose body a route reads itself (git over HTTP, raw uploads): only their query is read here. */
  skip?: (request: Request) => boolean;
  /** Default: 1 MiB of text, with a credential 20 MiB, and 144 MiB where file contents are sent. */
  limits?: (request: Request) => BodyLimits;
  /** Where uploaded files lie until the response has ended. Default: the system's. */
  temporaryFolder?: string;
  /** Default: one for each middleware. */
  bodiesInFlight?: BodiesInFlight;
}

/** Methods whose body means nothing, even where a client announces JSON. */
const BODILESS = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** In characters: smaller forms are parsed at one stretch. */
const LARGE_FORM = 256 * 1024;

/** Makes the middleware that reads query and body of a request into `request.parameters`. Nest's own must be off. */
export function readBody({
  skip = () => false,
  limits = bodyLimitsOf,
  temporaryFolder,
  bodiesInFlight = new BodiesInFlight(),
}: BodyOptions = {}): RequestHandler {
  return (request, response, next) => {
    if (BODILESS.has(request.method)) {
      readQueryAlone(request, next);
      return;
    }
    const read = async (): Promise<void> => {
      const parameters = queryOf(request);
      request.parameters = parameters;
      if (skip(request)) return;
      const files = new TemporaryFiles(temporaryFolder);
      response.once('close', () => void files.remove());
      const kept = { limits: limits(request), files };
      Object.assign(parameters, await bodiesInFlight.share((share) => bodyOf(request, { ...kept, share })));
    };
    read().then(
      () => next(),
      (error: unknown) => void refuse(error, request, response, next),
    );
  };
}

/** Without a promise, since most requests are reads. */
function readQueryAlone(request: Request, next: NextFunction): void {
  try {
    request.parameters = queryOf(request);
  } catch (error) {
    next(error);
    return;
  }
  request.resume();
  next();
}

function queryOf(request: Request): ParameterBag {
  if (request.url.includes('%00')) throw badRequest('400 Bad request - null byte');
  const start = request.url.indexOf('?');
  return start < 0 ? emptyBag() : parseRack(request.url.slice(start + 1));
}

async function bodyOf(request: Request, room: BodyRoom): Promise<ParameterBag> {
  const { limits, share } = room;
  const { type, charset } = readContentType(request.headers['content-type']);
  if (isJson(type)) return jsonOf(request, charset, room);
  if (type === 'application/x-www-form-urlencoded') {
    const text = await decodeChunks(takenFrom(share, bytesOf(request, limits.text)), charset);
    return text.length < LARGE_FORM ? parseRack(text) : parseLargeRack(text);
  }
  if (type === 'multipart/form-data') {
    const bytes = bytesOf(request, multipartLimit(limits));
    return readMultipart(bytes, request.headers, room);
  }
  return ignored(request);
}

function ignored(request: Request): ParameterBag {
  request.resume();
  return emptyBag();
}

/** Of JSON bodies only a hash has parameters. Its keys are taken as they are, brackets and all. */
async function jsonOf(request: Request, charset: string, { limits, share }: BodyRoom): Promise<ParameterBag> {
  if (!/^(?:utf-?8|us-ascii)$/i.test(charset)) throw badRequest('400 Bad request - JSON must be UTF-8');
  const value = await readJson(takenFrom(share, bytesOf(request, limits.text)));
  if (value !== undefined) request.rawJson = value;
  return isBag(value) ? value : emptyBag();
}

async function refuse(
  error: unknown,
  request: Request,
  response: Response,
  next: NextFunction,
): Promise<void> {
  await discardRest(request);
  if (!request.readableEnded) response.set('Connection', 'close');
  next(error);
}

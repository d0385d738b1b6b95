import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { badRequest } from '#libs/errors';
import { bytesOf, discardRest } from './body-bytes';
import { type BodyLimits, bodyLimitsOf } from './body-limits';
import { decodeText } from './body-text';
import { isJson, readContentType } from './content-type';
import { readJson } from './json-body';
import { multipartLimit, readMultipart } from './multipart-body';
import { parseRack } from './rack-parameters';
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
  /** Default: 20 MiB of text, 100 MiB where file contents are sent. */
  limits?: (request: Request) => BodyLimits;
  /** Where uploaded files lie until the response has ended. Default: the system's. */
  temporaryFolder?: string;
}

/** Methods whose body means nothing, even where a client announces JSON. */
const BODILESS = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** Makes the middleware that reads query and body of a request into `request.parameters`. Nest's own must be off. */
export function readBody({
  skip = () => false,
  limits = bodyLimitsOf,
  temporaryFolder,
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
      Object.assign(parameters, await bodyOf(request, limits(request), files));
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

async function bodyOf(request: Request, limits: BodyLimits, files: TemporaryFiles): Promise<ParameterBag> {
  const { type, charset } = readContentType(request.headers['content-type']);
  if (isJson(type)) return jsonOf(request, charset, limits);
  if (type === 'application/x-www-form-urlencoded') {
    const chunks: Buffer[] = [];
    for await (const chunk of bytesOf(request, limits.text)) chunks.push(chunk);
    return parseRack(decodeText(Buffer.concat(chunks), charset));
  }
  if (type === 'multipart/form-data') {
    const bytes = bytesOf(request, multipartLimit(limits));
    return readMultipart(bytes, request.headers, limits, files);
  }
  return ignored(request);
}

function ignored(request: Request): ParameterBag {
  request.resume();
  return emptyBag();
}

/** Of JSON bodies only a hash has parameters. Its keys are taken as they are, brackets and all. */
async function jsonOf(request: Request, charset: string, limits: BodyLimits): Promise<ParameterBag> {
  if (!/^(?:utf-?8|us-ascii)$/i.test(charset)) throw badRequest('400 Bad request - JSON must be UTF-8');
  const value = await readJson(bytesOf(request, limits.text));
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

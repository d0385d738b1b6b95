import type { NextFunction, Request, Response } from 'express';

const API = /^\/+api\//;

/**
 * Slashes that stand together in the path of a call to the API count as one, as they do for the reference: clients
 * join a base and a path without looking (go-gitlab asked for `/api/v4//projects/1/issues/1/closed_by`). `%2F` is part
 * of a name and stays; so does `originalUrl`, which the Link headers repeat as it was sent.
 */
export function joinedSlashes(request: Request, _response: Response, next: NextFunction): void {
  const { url } = request;
  const doubled = url.indexOf('//');
  if (doubled < 0) return next();
  const mark = url.indexOf('?');
  const end = mark < 0 ? url.length : mark;
  if (doubled < end && API.test(url))
    request.url = url.slice(0, end).replace(/\/{2,}/g, '/') + url.slice(end);
  next();
}

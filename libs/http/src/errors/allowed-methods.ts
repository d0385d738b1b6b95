import type { Request } from 'express';

const ORDER = ['OPTIONS', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Express's own layers can say whether they match a path (false when not); its type definitions do not tell. */
interface Matcher {
  match(path: string): unknown;
}
const isMatcher = (layer: object): layer is Matcher => 'match' in layer && typeof layer.match === 'function';
const matches = (layer: object, path: string): boolean => isMatcher(layer) && Boolean(layer.match(path));

/** The methods that some route of the application has for the request's path; empty when the path is unknown. */
export function allowedMethods(request: Request): string[] {
  const found = new Set<string>();
  for (const layer of request.app.router.stack) {
    if (!layer.route || !matches(layer, request.path)) continue;
    for (const { method } of layer.route.stack) found.add(method.toUpperCase());
  }
  if (found.size === 0) return [];
  if (found.has('GET')) found.add('HEAD');
  return ORDER.filter((method) => method === 'OPTIONS' || found.has(method));
}

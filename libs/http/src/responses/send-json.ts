import type { Response } from 'express';

/**
 * Sends a value as JSON of exactly the type `application/json`, or of the one that the response has already. Express
 * would add a charset, which JSON does not have; older clients compare the type letter for letter and refuse the rest.
 */
export function sendJson(response: Response, value: unknown): void {
  if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', 'application/json');
  response.send(Buffer.from(JSON.stringify(value ?? null)));
}

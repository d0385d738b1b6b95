import { createServer, IncomingMessage, ServerResponse, type Server } from 'node:http';
import type { Express } from 'express';

/**
 * A server for the application whose requests and responses are Express's own from the beginning.
 *
 * Express sets the prototype of every message when it arrives. For V8 each of them then is an object of a kind of its
 * own: nothing that touches it gets fast, and it outlives the collections of young objects, which made four fifths of
 * what Express cost. To set the prototype that a message has already does nothing.
 */
export function createExpressServer(application: Express): Server {
  class ServedRequest extends IncomingMessage {}
  class ServedResponse extends ServerResponse<ServedRequest> {}
  Object.setPrototypeOf(ServedRequest.prototype, application.request);
  Object.setPrototypeOf(ServedResponse.prototype, application.response);
  Object.assign(application, { request: ServedRequest.prototype, response: ServedResponse.prototype });
  return createServer({ IncomingMessage: ServedRequest, ServerResponse: ServedResponse }, application);
}

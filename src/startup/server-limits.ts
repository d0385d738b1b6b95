import type { Server } from 'node:http';

/** A request's headers are small: whoever takes longer is wasting a connection on purpose. */
const HEADERS_MS = 30_000;
/** The whole request, which may be an upload of gigabytes over a slow line. */
const REQUEST_MS = 60 * 60_000;
/** Nothing moves on the connection in either direction. */
const SILENCE_MS = 5 * 60_000;
/** Longer than load balancers keep idle connections, so that they close first and lose no request. */
const KEEP_ALIVE_MS = 75_000;
const HEADER_COUNT = 200;

/** Time limits that let long uploads through and slow trickles of bytes not hold connections for ever. */
export function limitServer(server: Server): void {
  server.headersTimeout = HEADERS_MS;
  server.requestTimeout = REQUEST_MS;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.maxHeadersCount = HEADER_COUNT;
  server.setTimeout(SILENCE_MS);
}

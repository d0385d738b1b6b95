import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import express from 'express';
import { createExpressServer } from './express-server';

const portOf = (server: Server): number => {
  const address: string | AddressInfo | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen');
  return address.port;
};

describe('the server of an Express application', () => {
  it('makes messages that have the prototypes of the application before Express gives them these', async () => {
    const application = express();
    application.get('/', (request, response) => void response.json({ query: request.path }));
    const server = createExpressServer(application);
    const kinds: boolean[] = [];
    server.prependListener('request', (request, response) => {
      kinds.push(Object.getPrototypeOf(request) === application.request);
      kinds.push(Object.getPrototypeOf(response) === application.response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const answer = await fetch(`http://127.0.0.1:${portOf(server)}/`);
    expect(await answer.json()).toEqual({ query: '/' });
    expect(kinds).toEqual([true, true]);
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });
});

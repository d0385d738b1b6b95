import { StreamableFile } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, Response } from 'express';
import { chosenStatus } from '../responses/chosen-status';
import { sendJson } from '../responses/send-json';
import { createExpressServer } from './express-server';

/** Express as Nest drives it, but for its server and two kinds of answer: bytes are sent as they are, and JSON without a charset. */
export class ServiceAdapter extends ExpressAdapter {
  override initHttpServer(): void {
    this.httpServer = createExpressServer(this.getInstance<Express>());
  }

  override reply(response: Response, body: unknown, defaultStatus?: number): unknown {
    const statusCode = chosenStatus(response) ?? defaultStatus;
    if (typeof body !== 'object' || body === null || body instanceof StreamableFile) {
      return super.reply(response, body, statusCode);
    }
    if (statusCode !== undefined) response.status(statusCode);
    return Buffer.isBuffer(body) ? response.send(body) : sendJson(response, body);
  }
}

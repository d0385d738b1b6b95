import { ExpressAdapter } from '@nestjs/platform-express';
import type { Response } from 'express';

/** Express as Nest drives it, with one addition: bytes that are whole in memory are sent as they are. */
export class ServiceAdapter extends ExpressAdapter {
  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    if (!Buffer.isBuffer(body)) return super.reply(response, body, statusCode);
    if (statusCode !== undefined) response.status(statusCode);
    return response.send(body);
  }
}

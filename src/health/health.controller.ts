import { Controller, Get, Header, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Readiness, type Verdict } from './readiness';

/** For load balancers and supervisors: no login, nothing secret. Not part of the API, hence no @Endpoint. */
@Controller('-')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  /** The process runs and its event loop turns. */
  @Get('liveness')
  @Header('Cache-Control', 'no-store')
  liveness(): { status: 'ok' } {
    return { status: 'ok' };
  }

  /** The process can do its work now: 200, else 503 and what failed. */
  @Get('readiness')
  @Header('Cache-Control', 'no-store')
  async ready(@Res({ passthrough: true }) response: Response): Promise<Verdict> {
    const verdict = await this.readiness.verdict();
    if (verdict.status !== 'ok') response.status(503);
    return verdict;
  }

  /** For people and simple monitors: the service answers. */
  @Get('health')
  @Header('Cache-Control', 'no-store')
  health(): { status: 'ok'; message: string } {
    return { status: 'ok', message: 'The service is running.' };
  }
}

import { Injectable } from '@nestjs/common';

/** Whether this process wants to be sent requests. */
@Injectable()
export class Serving {
  private stopping = false;

  get isStopping(): boolean {
    return this.stopping;
  }

  /** From now on readiness says no, so that load balancers look elsewhere. */
  stop(): void {
    this.stopping = true;
  }
}

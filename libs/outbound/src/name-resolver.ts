import { lookup } from 'node:dns/promises';
import { Injectable } from '@nestjs/common';
import type { PinnedAddress } from './address-rules';

/** Finds the addresses of a host name. */
export abstract class NameResolver {
  /** All of them, in the order in which they are to be tried. Throws where there are none. */
  abstract addressesOf(host: string): Promise<readonly PinnedAddress[]>;
}

/**
 * The system's resolver blocks a thread of the few that files are read with, too. Whoever points many URLs at a name
 * server that does not answer may keep so many of them busy, and no more.
 */
const MOST_AT_ONCE = 2;

/** As this machine sees names, its hosts file and search domains included. */
@Injectable()
export class SystemNameResolver extends NameResolver {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  async addressesOf(host: string): Promise<readonly PinnedAddress[]> {
    await this.enter();
    try {
      const found = await lookup(host, { all: true, verbatim: true });
      return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
    } finally {
      this.leave();
    }
  }

  private async enter(): Promise<void> {
    if (this.running < MOST_AT_ONCE) {
      this.running++;
      return;
    }
    // The place is handed over, so the count stays.
    await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  private leave(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.running--;
  }
}

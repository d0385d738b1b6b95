import { DomainError } from '#libs/errors';

/** Work on passwords occupies a thread, and files need the same few threads. */
const AT_ONCE = 2;
const MOST_WAITING = 50;

/** Lets `width` pieces of work run at once and at most `mostWaiting` wait for their turn, first come first served. */
export class Turnstile {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly width: number = AT_ONCE,
    private readonly mostWaiting: number = MOST_WAITING,
  ) {}

  /** Throws `unavailable` when too many wait already, and what the work throws. */
  async pass<T>(work: () => Promise<T>): Promise<T> {
    await this.enter();
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  private async enter(): Promise<void> {
    if (this.running < this.width) {
      this.running += 1;
      return;
    }
    if (this.waiting.length >= this.mostWaiting) {
      throw new DomainError({ kind: 'unavailable', message: 'Too many sign-ins are waiting. Try again.' });
    }
    await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  private leave(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.running -= 1;
  }
}

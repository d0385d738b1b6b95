import { DomainError } from '#libs/errors';
import { BODIES_IN_FLIGHT } from './body-limits';

/** Bounds the memory that the bodies of all requests take together while they are read. */
export class BodiesInFlight {
  private size = 0;

  constructor(private readonly limit: number = BODIES_IN_FLIGHT) {}

  /** Runs `read` and gives back at its end, however it ends, what it took. */
  async share<T>(read: (share: BodyShare) => Promise<T>): Promise<T> {
    let taken = 0;
    let isOver = false;
    const share: BodyShare = {
      take: (bytes) => {
        // A part of a refused body may still be running out; nobody would give back what it takes.
        if (isOver) return;
        if (this.size + bytes > this.limit) throw busy();
        this.size += bytes;
        taken += bytes;
      },
    };
    try {
      return await read(share);
    } finally {
      isOver = true;
      this.size -= taken;
    }
  }
}

/** The part that one body has. */
export interface BodyShare {
  /** @throws DomainError unavailable when all bodies together would be too large. */
  take(bytes: number): void;
}

/** The same chunks, each taken from the share before it is kept. */
export async function* takenFrom(share: BodyShare, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    share.take(chunk.length);
    yield chunk;
  }
}

const busy = (): DomainError =>
  new DomainError({ kind: 'unavailable', message: '503 Service Unavailable - too many large requests' });

import type { Readable } from 'node:stream';

/** An answer that is not JSON: bytes (or none, for a HEAD) with the headers that describe them. */
export class RawAnswer {
  constructor(
    readonly body: Buffer | Readable | null,
    readonly headers: Readonly<Record<string, string>>,
    /** Where it is not the one of the endpoint's definition. */
    readonly status?: number,
  ) {}
}

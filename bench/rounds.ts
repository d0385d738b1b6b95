import autocannon from 'autocannon';

export interface Load {
  readonly name: string;
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Record<string, string>;
  /** Made anew for every request. */
  readonly body?: () => string;
  readonly path?: () => string;
}

export interface Measured {
  readonly requestsPerSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly failures: number;
}

/** One round of one load. */
export async function measure(load: Load, seconds: number, connections: number): Promise<Measured> {
  const { body, path } = load;
  const result = await autocannon({
    url: load.url,
    duration: seconds,
    connections,
    method: load.method ?? 'GET',
    headers: load.headers ?? {},
    ...(body && {
      requests: [
        { setupRequest: (request) => ({ ...request, body: body(), ...(path && { path: path() }) }) },
      ],
    }),
  });
  return {
    requestsPerSecond: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
    failures: result.non2xx + result.errors,
  };
}

const median = (numbers: readonly number[]): number => {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
};

/** The medians of several rounds; failures are added up. */
export const summary = (rounds: readonly Measured[]): Measured => ({
  requestsPerSecond: median(rounds.map((round) => round.requestsPerSecond)),
  p50: median(rounds.map((round) => round.p50)),
  p99: median(rounds.map((round) => round.p99)),
  failures: rounds.reduce((sum, round) => sum + round.failures, 0),
});

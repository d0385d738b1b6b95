import { connectionShares, MOST_CONNECTIONS } from './connection-shares';

describe('the shares of many processes in the connections of one server', () => {
  it('are as large as they need be for one process', () => {
    expect(connectionShares(1)).toEqual({ main: 20, locks: 16, jobs: 4 });
  });

  it('fit on the server for every number of processes that may be set', () => {
    for (let processes = 1; processes <= 64; processes += 1) {
      const { main, locks, jobs } = connectionShares(processes);
      expect(processes * (main + locks + jobs)).toBeLessThan(MOST_CONNECTIONS - 10);
      expect(Math.min(main / 2, locks, jobs)).toBeGreaterThanOrEqual(1);
    }
  });
});

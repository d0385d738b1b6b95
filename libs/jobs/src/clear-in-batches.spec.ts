import { clearInBatches } from './clear-in-batches';

describe('clearing in batches', () => {
  /** A table of so many rows; notes how many each statement was asked for. */
  function table(rows: number) {
    const asked: number[] = [];
    let left = rows;
    const remove = (limit: number): Promise<number> => {
      asked.push(limit);
      const taken = Math.min(limit, left);
      left -= taken;
      return Promise.resolve(taken);
    };
    return { asked, remove, left: () => left };
  }
  const { signal } = new AbortController();

  it('goes on until a batch is not full', async () => {
    const rows = table(25);
    await clearInBatches(10, signal, rows.remove);
    expect([rows.asked, rows.left()]).toEqual([[10, 10, 10], 0]);
  });

  it('leaves the rest to the next run after a thousand batches', async () => {
    const rows = table(1_005);
    await clearInBatches(1, signal, rows.remove);
    expect(rows.left()).toBe(5);
  });

  it('does nothing once the job has to stop', async () => {
    const rows = table(25);
    await clearInBatches(10, AbortSignal.abort(), rows.remove);
    expect(rows.asked).toEqual([]);
  });
});

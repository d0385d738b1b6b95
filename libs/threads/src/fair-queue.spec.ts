import { FairQueue } from './fair-queue';

const all = (queue: FairQueue<string>): string[] => {
  const found: string[] = [];
  for (let item = queue.next(); item !== undefined; item = queue.next()) found.push(item);
  return found;
};

describe('what waits', () => {
  it('comes owner by owner, and of each in its order', () => {
    const queue = new FairQueue<string>({ waiting: 10, waitingOfOne: 10 });
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'])
      expect(queue.add(item.slice(0, 1), item)).toBe(true);
    expect(all(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
    expect(queue.next()).toBeUndefined();
  });

  it('is so much of one owner, and so much of all', () => {
    const queue = new FairQueue<string>({ waiting: 3, waitingOfOne: 2 });
    expect([1, 2, 3].map((number) => queue.add('a', `a${number}`))).toEqual([true, true, false]);
    expect([queue.add('b', 'b1'), queue.add('c', 'c1')]).toEqual([true, false]);
    expect(queue.next()).toBe('a1');
    expect([queue.add('c', 'c1'), queue.add('c', 'c2')]).toEqual([true, false]);
    expect(queue.clear()).toEqual(['b1', 'a2', 'c1']);
    expect([queue.next(), queue.add('a', 'a4')]).toEqual([undefined, true]);
  });
});

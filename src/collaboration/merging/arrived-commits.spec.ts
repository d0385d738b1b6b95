import { arrivals } from './arrived-commits';

const commit = (sha: string, ...parents: string[]) => ({ sha, parents });

describe('by what commits came to a branch', () => {
  it('is themselves where they were pushed as they are', () => {
    const found = arrivals([commit('c', 'b'), commit('b', 'a')], 'c');
    expect([...found]).toEqual([
      ['b', 'b'],
      ['c', 'c'],
    ]);
  });

  it('is the first merge that brought them in', () => {
    const commits = [
      commit('m2', 'm1', 't2'),
      commit('t2', 't1'),
      commit('m1', 'a', 't1'),
      commit('t1', 'a'),
      commit('x', 'y'),
    ];
    const found = arrivals(commits, 'm2');
    expect(Object.fromEntries(found)).toEqual({ m1: 'm1', t1: 'm1', m2: 'm2', t2: 'm2' });
  });

  it('is nothing where there is nothing new', () => {
    expect(arrivals([], 'tip').size).toBe(0);
  });
});

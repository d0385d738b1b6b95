import { GitCancelledError } from '../git';
import { Memo } from './memo';

describe('a memo', () => {
  const memoOf = (bytes = 100_000): Memo<string> => new Memo<string>(bytes, (text) => text.length);

  it('makes a value once for all who ask, at the same time and later', async () => {
    const memo = memoOf();
    const make = jest.fn(() => Promise.resolve('made'));
    expect(await Promise.all([memo.get('a', undefined, make), memo.get('a', undefined, make)])).toEqual([
      'made',
      'made',
    ]);
    expect(await memo.get('a', undefined, make)).toBe('made');
    expect(make).toHaveBeenCalledTimes(1);
  });

  it('does not keep an error', async () => {
    const memo = memoOf();
    await expect(memo.get('a', undefined, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await memo.get('a', undefined, () => Promise.resolve('yes'))).toBe('yes');
  });

  it('goes on for the others when one gives up, and stops when all have', async () => {
    const memo = memoOf();
    const [first, second] = [new AbortController(), new AbortController()];
    let stopped = false;
    let finish: (value: string) => void = () => undefined;
    const make = (signal: AbortSignal): Promise<string> => {
      signal.addEventListener('abort', () => (stopped = true));
      return new Promise((resolve) => (finish = resolve));
    };
    const one = memo.get('a', first.signal, make);
    const two = memo.get('a', second.signal, make);
    first.abort();
    await expect(one).rejects.toThrow(GitCancelledError);
    expect(stopped).toBe(false);
    finish('made');
    expect(await two).toBe('made');

    const alone = memo.get('b', second.signal, make);
    second.abort();
    await expect(alone).rejects.toThrow(GitCancelledError);
    await new Promise(setImmediate);
    expect(stopped).toBe(true);
  });

  it('stays within its bound', async () => {
    const memo = memoOf(10_000);
    for (let index = 0; index < 100; index += 1) memo.keep(`key ${index}`, 'x'.repeat(1_000));
    const kept = Array.from({ length: 100 }, (_, index) => memo.peek(`key ${index}`)).filter(Boolean);
    expect(kept.length).toBeLessThan(10);
    expect(memo.peek('key 99')).toBeDefined();
  });

  it('forgets what begins with a prefix', () => {
    const memo = memoOf();
    memo.keep('one\0a', '1');
    memo.keep('two\0a', '2');
    memo.forget('one\0');
    expect([memo.peek('one\0a'), memo.peek('two\0a')]).toEqual([undefined, '2']);
  });
});

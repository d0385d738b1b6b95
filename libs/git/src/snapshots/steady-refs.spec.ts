import type { GitCommand } from '../processes/spawn-broker';
import { steadyRefs, type WithWritersKeptOut } from './steady-refs';

const sha = (digit: string): string => digit.repeat(40);
const listing = (a: string, b: string): string => `${sha(a)} refs/heads/a \n${sha(b)} refs/heads/b \n`;

/** Answers each look at the refs with the next of the listings, and the last one from then on. */
function brokerSeeing(listings: readonly string[]) {
  let looks = 0;
  const run = ({ args }: GitCommand) => {
    const isHead = args[0] === 'symbolic-ref';
    const text = isHead ? 'refs/heads/a\n' : (listings[Math.min(looks, listings.length - 1)] ?? '');
    if (!isHead) looks += 1;
    return Promise.resolve({ code: 0, stdout: Buffer.from(text), stderr: '' });
  };
  return { run, looks: () => looks };
}

const never: WithWritersKeptOut = () => Promise.reject(new Error('nobody was to be kept out'));
const freeze = (broker: ReturnType<typeof brokerSeeing>, keepingWritersOut = never) =>
  steadyRefs(broker, { repository: '/x', signal: undefined, keepingWritersOut });

describe('refs of one moment', () => {
  it('are those that two looks in a row have seen', async () => {
    // The first two looks may each have seen a before and b after a move.
    const broker = brokerSeeing([listing('1', '2'), listing('2', '3'), listing('3', '3')]);
    expect(await freeze(broker)).toEqual({
      head: 'refs/heads/a',
      refs: [
        { ref: 'refs/heads/a', sha: sha('3'), peeled: null },
        { ref: 'refs/heads/b', sha: sha('3'), peeled: null },
      ],
    });
    expect(broker.looks()).toBe(4);
  });

  it('are taken with the writers kept out where they move all the time', async () => {
    const digits = [...'123456789abcdef'];
    const broker = brokerSeeing(digits.map((digit) => listing(digit, digit)));
    let looksBefore = -1;
    const refs = await freeze(broker, (work) => {
      looksBefore = broker.looks();
      return work();
    });
    expect(looksBefore).toBe(5);
    expect(refs.refs.map((ref) => ref.sha)).toEqual([sha('6'), sha('6')]);
  });

  it('tell what an annotated tag is for', async () => {
    const broker = brokerSeeing([`${sha('1')} refs/tags/v1 ${sha('2')}\n`]);
    expect((await freeze(broker)).refs).toEqual([{ ref: 'refs/tags/v1', sha: sha('1'), peeled: sha('2') }]);
  });
});

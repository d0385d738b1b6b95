import { DomainError } from '#libs/errors';
import { Turnstile } from './turnstile';

/** Work that lasts until it is told to end. */
class Work {
  started = false;
  end: () => void = () => undefined;

  readonly run = async (): Promise<string> => {
    this.started = true;
    await new Promise<void>((resolve) => (this.end = resolve));
    return 'done';
  };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a turnstile', () => {
  it('lets so many through at once, the others in their order, and turns away a surplus', async () => {
    const turnstile = new Turnstile(2, 1);
    const [one, two, three] = [new Work(), new Work(), new Work()];
    const outcomes = [one, two, three].map((work) => turnstile.pass(work.run));
    await settled();
    expect([one.started, two.started, three.started]).toEqual([true, true, false]);
    await expect(turnstile.pass(new Work().run)).rejects.toMatchObject({ detail: { kind: 'unavailable' } });
    one.end();
    await settled();
    expect(three.started).toBe(true);
    for (const work of [two, three]) work.end();
    expect(await Promise.all(outcomes)).toEqual(['done', 'done', 'done']);
  });

  it('opens again after work that failed', async () => {
    const turnstile = new Turnstile(1, 0);
    const failing = turnstile.pass(() => Promise.reject(new Error('broken')));
    await expect(turnstile.pass(() => Promise.resolve(1))).rejects.toThrow(DomainError);
    await expect(failing).rejects.toThrow('broken');
    expect(await turnstile.pass(() => Promise.resolve(2))).toBe(2);
  });
});

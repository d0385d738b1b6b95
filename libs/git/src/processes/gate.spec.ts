import { GitCancelledError, GitLimitError } from '../git';
import { Gate } from './gate';

describe('a gate', () => {
  it('lets the next in when a place is given back, once', async () => {
    const gate = new Gate(1, 10);
    const leave = await gate.enter();
    const entered: string[] = [];
    const second = gate.enter().then((leaveSecond) => {
      entered.push('second');
      return leaveSecond;
    });
    void gate.enter().then(() => entered.push('third'));
    leave();
    leave();
    const leaveSecond = await second;
    await Promise.resolve();
    expect(entered).toEqual(['second']);
    leaveSecond();
    await new Promise(setImmediate);
    expect(entered).toEqual(['second', 'third']);
  });

  it('refuses when too many wait', async () => {
    const gate = new Gate(1, 0);
    await gate.enter();
    await expect(gate.enter()).rejects.toThrow(GitLimitError);
  });

  it('forgets who gives up waiting', async () => {
    const gate = new Gate(1, 1);
    const leave = await gate.enter();
    const controller = new AbortController();
    const waiting = gate.enter(controller.signal);
    controller.abort();
    await expect(waiting).rejects.toThrow(GitCancelledError);
    leave();
    await expect(gate.enter()).resolves.toBeInstanceOf(Function);
  });
});

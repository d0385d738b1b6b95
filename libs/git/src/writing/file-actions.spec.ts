import { GitLimitError, type FileAction } from '../git';
import { refuseStaleActions } from './file-actions';

const LAST = 'a1'.repeat(20);
const deletions = (...paths: string[]): FileAction[] =>
  paths.map((path) => ({ action: 'delete', path, lastCommit: LAST }));

describe('the look at what the files of a commit were last changed by', () => {
  const lastCommitOf = jest.fn(() => Promise.resolve(LAST));
  beforeEach(() => lastCommitOf.mockClear());

  it('walks the history of each file once, and of as many as one commit may name', async () => {
    await refuseStaleActions(deletions('a', 'b', 'a', 'b'), lastCommitOf, { mostPaths: 2, withinMs: 60_000 });
    expect(lastCommitOf.mock.calls).toEqual([['a'], ['b']]);
  });

  it('ends at a file too many', async () => {
    const look = refuseStaleActions(deletions('a', 'b', 'c', 'd'), lastCommitOf, {
      mostPaths: 2,
      withinMs: 60_000,
    });
    await expect(look).rejects.toThrow(GitLimitError);
    expect(lastCommitOf.mock.calls).toEqual([['a'], ['b']]);
  });

  it('takes a thousand files by default, and not one more', async () => {
    const paths = Array.from({ length: 1_001 }, (_, number) => `file-${number}`);
    await refuseStaleActions(deletions(...paths.slice(1)), lastCommitOf);
    await expect(refuseStaleActions(deletions(...paths), lastCommitOf)).rejects.toThrow(GitLimitError);
  });

  it('begins no walk when the time for all of them is over', async () => {
    const look = refuseStaleActions(deletions('a'), lastCommitOf, { mostPaths: 2, withinMs: 0 });
    await expect(look).rejects.toThrow(GitLimitError);
    expect(lastCommitOf).not.toHaveBeenCalled();
  });
});

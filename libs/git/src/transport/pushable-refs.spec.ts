import { ZERO_SHA } from '../git';
import { refuseUnpushableRefs } from './pushable-refs';

const SHA = 'a'.repeat(40);

function verdict(ref: string, newSha = SHA): string | undefined {
  const updates = [{ ref, oldSha: ZERO_SHA, newSha }];
  return refuseUnpushableRefs({ updates, unreadableRefs: [] }, 10)?.message;
}

describe('the refs a push may move', () => {
  it.each(['refs/heads/main', 'refs/heads/feature/é', 'refs/tags/v1.0'])('are branches and tags: %s', (ref) =>
    expect(verdict(ref)).toBeUndefined(),
  );

  it.each([
    'refs/notes/x',
    'refs/keep-around/1',
    'refs/merge-requests/1/head',
    'refs/heads',
    'HEAD',
    'refs/x',
  ])('are not %s', (ref) => expect(verdict(ref)).toContain(`${ref}: only branches and tags can be pushed`));

  it.each([
    `refs/heads/${SHA}`,
    'refs/heads/refs/heads/x',
    'refs/heads/-x',
    'refs/tags/HEAD',
    'refs/heads/a..b',
  ])('have names that nobody can misread: not %s', (ref) =>
    expect(verdict(ref)).toMatch(/the (branch|tag) name is not allowed/),
  );

  it('may be deleted under a bad name that an import left', () => {
    expect(verdict(`refs/heads/${SHA}`, ZERO_SHA)).toBeUndefined();
    expect(verdict('refs/heads/a..b', ZERO_SHA)).toContain('the name is not allowed');
    expect(verdict('refs/notes/x', ZERO_SHA)).toContain('only branches and tags');
  });

  it('are limited in number, and a refusal names only some', () => {
    const updates = Array.from({ length: 11 }, (_, i) => ({
      ref: `refs/x/${i}`,
      oldSha: ZERO_SHA,
      newSha: SHA,
    }));
    expect(refuseUnpushableRefs({ updates, unreadableRefs: [] }, 10)?.message).toContain('at most 10 refs');
    expect(refuseUnpushableRefs({ updates, unreadableRefs: [] }, 20)?.message).toMatch(/and 1 more$/);
  });

  it('are readable', () => {
    const refusal = refuseUnpushableRefs({ updates: [], unreadableRefs: ['refs/heads/\ufffd'] }, 10);
    expect(refusal?.message).toContain('not valid UTF-8');
  });
});

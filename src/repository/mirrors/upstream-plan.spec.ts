import { ZERO_SHA } from '#libs/git';
import { planOf, type PlanRules } from './upstream-plan';

const [A, B, C] = ['a', 'b', 'c'].map((digit) => digit.repeat(40));
const sha = (value: string | undefined): string => value ?? ZERO_SHA;

const RULES: PlanRules = {
  isMirrored: () => true,
  mayPush: () => true,
  overwrites: false,
  // a is before b; c stands aside.
  isAncestor: (ancestor, descendant) => Promise.resolve(ancestor === A && descendant === B),
};

const plan = (
  local: Record<string, string | undefined>,
  upstream: Record<string, string | undefined>,
  rules: Partial<PlanRules> = {},
) =>
  planOf(
    new Map(Object.entries(local).map(([ref, value]) => [ref, sha(value)])),
    Object.entries(upstream).map(([ref, value]) => ({ ref, sha: sha(value) })),
    { ...RULES, ...rules },
  );

const MAIN = 'refs/heads/main';

describe('the plan of an update', () => {
  it('creates, moves on and leaves what is there already', async () => {
    expect(
      await plan({ [MAIN]: A, 'refs/heads/x': C }, { [MAIN]: B, 'refs/heads/x': C, 'refs/tags/t': A }),
    ).toEqual({
      updates: [
        { ref: MAIN, oldSha: A, newSha: B },
        { ref: 'refs/tags/t', oldSha: ZERO_SHA, newSha: A },
      ],
      problems: [],
    });
  });

  it('keeps what the upstream has no longer', async () => {
    expect(await plan({ [MAIN]: A, 'refs/tags/t': A }, {})).toEqual({ updates: [], problems: [] });
  });

  it('counts a branch that is further than the upstream as diverged', async () => {
    expect((await plan({ [MAIN]: B }, { [MAIN]: A })).problems).toEqual([
      'The main branch has diverged from its upstream counterpart and could not be updated automatically.',
    ]);
    expect((await plan({ [MAIN]: B }, { [MAIN]: A }, { overwrites: true })).updates).toEqual([
      { ref: MAIN, oldSha: B, newSha: A },
    ]);
  });

  it('moves tags wherever they went', async () => {
    expect((await plan({ 'refs/tags/t': B }, { 'refs/tags/t': C })).updates).toHaveLength(1);
  });

  it.each(['refs/heads/--output=x', 'refs/heads/HEAD', `refs/heads/${'a'.repeat(40)}`, 'refs/other/x'])(
    'passes over %s',
    async (ref) => {
      expect(await plan({}, { [ref]: A })).toEqual({ updates: [], problems: [] });
    },
  );

  it('names what cannot be created beside what there is', async () => {
    const local = { 'refs/heads/a': A, 'refs/heads/b/c': A };
    const { updates, problems } = await plan(local, {
      'refs/heads/a/x': B,
      'refs/heads/b': B,
      'refs/heads/c': B,
    });
    expect(updates.map(({ ref }) => ref)).toEqual(['refs/heads/c']);
    expect(problems).toHaveLength(2);
  });

  it('names branches that may not be pushed to', async () => {
    const { updates, problems } = await plan({}, { [MAIN]: A, 'refs/tags/t': A }, { mayPush: () => false });
    expect(updates.map(({ ref }) => ref)).toEqual(['refs/tags/t']);
    expect(problems).toEqual(['The mirror user is not allowed to push to the main branch.']);
  });
});

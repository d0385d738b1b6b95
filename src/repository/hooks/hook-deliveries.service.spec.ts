import { HookDeliveries } from './hook-deliveries.service';
import { ProjectHook } from './project-hook.entity';

const hooks = [1, 2, 3].map((id) => Object.assign(new ProjectHook(), { id }));
const cause = JSON.stringify({ root: 'event:7:0', hookIds: [2] });
const nobody = Object.create(null);

/** Where so many calls have been made because of one occurrence. */
const afterCalls = (made: number): HookDeliveries => {
  const countInChain = (_root: string, most: number) => Promise.resolve(Math.min(made, most));
  return new HookDeliveries(nobody, Object.assign(Object.create(null), { countInChain }), nobody);
};

const ids = (left: readonly ProjectHook[]) => left.map(({ id }) => id);

describe('hooks that something concerns', () => {
  it('are all called where no hook led to it', async () => {
    expect(ids(await afterCalls(1_000).notRepeated(hooks, null))).toEqual([1, 2, 3]);
  });

  it('are called but for those that led to it', async () => {
    expect(ids(await afterCalls(99).notRepeated(hooks, cause))).toEqual([1, 3]);
  });

  it('are not called any more after a hundred calls that one led to', async () => {
    expect(await afterCalls(100).notRepeated(hooks, cause)).toEqual([]);
  });
});

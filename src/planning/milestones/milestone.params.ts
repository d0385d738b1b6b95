import { atLeastOneOf, params, wire } from '#libs/http';

export const ListMilestones = params({
  iids: wire.integers().optional(),
  state: wire.oneOf(['active', 'closed', 'all']).default('all'),
  title: wire.text().optional(),
  search: wire.text().optional().describe('In title or description'),
});

export const MilestonePath = params({ milestone_id: wire.integer() });

const Text = {
  description: wire.text().nullable().optional(),
  due_date: wire.date().nullable().optional(),
  start_date: wire.date().nullable().optional(),
};

export const CreateMilestone = params({ title: wire.text(), ...Text });

export const UpdateMilestone = params(
  {
    title: wire.text().optional(),
    ...Text,
    state_event: wire.oneOf(['close', 'activate']).optional(),
  },
  atLeastOneOf('title', 'description', 'start_date', 'due_date', 'state_event'),
).extend(MilestonePath);

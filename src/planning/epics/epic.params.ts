import { atLeastOneOf, params, wire } from '#libs/http';

const id = wire.integer({ min: 1 });
const day = wire.date().nullable().optional();

export const EpicPath = params({ epic_iid: id });

export const ListEpics = params({
  order_by: wire.oneOf(['created_at', 'updated_at']).default('created_at'),
  sort: wire.oneOf(['asc', 'desc']).default('desc'),
  search: wire.text().optional().describe('Part of the title or description'),
  state: wire.oneOf(['opened', 'closed', 'all']).default('all'),
  author_id: wire.integer().optional(),
  labels: wire.commaSeparated({ max: 100 }).optional().describe('All of them; `None` or `Any`'),
  created_after: wire.dateTime().optional(),
  created_before: wire.dateTime().optional(),
  updated_after: wire.dateTime().optional(),
  updated_before: wire.dateTime().optional(),
  include_ancestor_groups: wire.boolean().default(false),
  include_descendant_groups: wire.boolean().default(true),
});

const written = {
  description: wire.text().nullable().optional(),
  labels: wire.commaSeparated({ max: 100 }).optional(),
  start_date_fixed: day.describe('Counts where `start_date_is_fixed`'),
  start_date_is_fixed: wire.boolean().optional().describe('Instead of the first day of the milestones'),
  due_date_fixed: day.describe('Counts where `due_date_is_fixed`'),
  due_date_is_fixed: wire.boolean().optional().describe('Instead of the last day of the milestones'),
  start_date: day.describe('Deprecated: `start_date_fixed`'),
  end_date: day.describe('Deprecated: `due_date_fixed`'),
};

export const CreateEpic = params({ title: wire.text(), ...written });

export const UpdateEpic = EpicPath.extend(
  {
    title: wire.text().optional(),
    ...written,
    state_event: wire.oneOf(['close', 'reopen']).optional(),
  },
  atLeastOneOf(
    'title',
    'description',
    'start_date_fixed',
    'start_date_is_fixed',
    'due_date_fixed',
    'due_date_is_fixed',
    'start_date',
    'end_date',
    'labels',
    'state_event',
  ),
);

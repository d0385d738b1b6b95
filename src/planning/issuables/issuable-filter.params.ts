import { mutuallyExclusive, params, wire, type ParamsOf } from '#libs/http';

const MOST_NAMES = 100;

/** What a list can be filtered by, and by its contrary in `not`. */
const TurnableFilter = params(
  {
    labels: wire.commaSeparated({ max: MOST_NAMES }).optional(),
    milestone: wire.text().optional(),
    iids: wire.integers().optional(),
    search: wire.text().optional(),
    in: wire.commaSeparated({ max: MOST_NAMES }).optional(),
    author_id: wire.integer().optional(),
    author_username: wire.text().optional(),
    assignee_id: wire.integerNoneAny().optional(),
    assignee_username: wire.commaSeparated({ max: MOST_NAMES }).optional(),
    my_reaction_emoji: wire.text().optional(),
  },
  mutuallyExclusive('author_id', 'author_username'),
  mutuallyExclusive('assignee_id', 'assignee_username'),
);

export const SCOPES = ['created-by-me', 'assigned-to-me', 'created_by_me', 'assigned_to_me', 'all'] as const;

/** The filters that lists of issues and of merge requests have in common. */
export const IssuableFilter = TurnableFilter.extend({
  not: wire.hash(TurnableFilter).optional(),
  created_after: wire.dateTime().optional(),
  created_before: wire.dateTime().optional(),
  updated_after: wire.dateTime().optional(),
  updated_before: wire.dateTime().optional(),
  scope: wire.oneOf(SCOPES).optional(),
});

export type TurnableFilter = ParamsOf<typeof TurnableFilter>;
export type IssuableFilter = ParamsOf<typeof IssuableFilter>;

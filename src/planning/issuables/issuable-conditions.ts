import { substringPattern } from '#libs/database';
import { anyLabelCondition, labelCondition, wantedLabels } from '../labels/label-conditions';
import { milestoneCondition } from '../milestones/milestone-conditions';
import { ISSUABLE_TABLES, type IssuableKind } from './issuable-tables';
import type { IssuableFilter, TurnableFilter } from './issuable-filter.params';
import { searchWords } from './search-words';

/** What a list is of, and how its statement takes values. */
export interface Listed {
  readonly kind: IssuableKind;
  /** Of the row of issues or merge requests. */
  readonly alias: string;
  /** Null where nobody is signed in. */
  readonly viewerId: number | null;
  /** Makes a value a parameter of the statement, and answers how the statement calls it. */
  readonly bind: (value: unknown) => string;
}

/** SQL conditions over the rows of a list, all of which must hold. */
export function issuableConditions(filter: IssuableFilter, listed: Listed): string[] {
  return [
    ...turnable(filter, listed, 'all'),
    ...(filter.not
      ? turnable(filter.not, listed, 'any').map((condition) => `NOT coalesce((${condition}), false)`)
      : []),
    ...times(filter, listed),
    ...scoped(filter, listed),
  ];
}

/** Of several labels or assignees all, or any: so `not` excludes what has one of them. */
type Matched = 'all' | 'any';

/** Each of them by itself. */
function turnable(filter: TurnableFilter, listed: Listed, matched: Matched): string[] {
  const { alias, bind } = listed;
  const conditions = [
    ...labels(filter, listed, matched),
    ...people(filter, listed),
    ...assigned(filter.assignee_username ?? [], listed, matched),
    ...texts(filter, listed),
  ];
  if (filter.milestone) conditions.push(milestoneCondition(`${alias}.milestone_id`, filter.milestone, bind));
  if (filter.iids) conditions.push(`${alias}.iid = ANY(${bind(filter.iids)}::bigint[])`);
  const { my_reaction_emoji: emoji } = filter;
  if (emoji) conditions.push(...reacted(emoji, listed));
  return conditions;
}

function labels(
  { labels: names }: TurnableFilter,
  { kind, alias, bind }: Listed,
  matched: Matched,
): string[] {
  const wanted = wantedLabels(names);
  if (wanted === null) return [];
  if (typeof wanted === 'string' || matched === 'all')
    return [labelCondition(kind, `${alias}.id`, wanted, bind)];
  return [anyLabelCondition(kind, `${alias}.id`, wanted, bind)];
}

/** One is looked up, so that the plan may begin with them; more are counted, see `labelCondition`. */
function assigned(usernames: readonly string[], { kind, alias, bind }: Listed, matched: Matched): string[] {
  if (usernames.length === 0) return [];
  const { assignees, column } = ISSUABLE_TABLES[kind];
  const names = [...new Set(usernames.map((name) => name.toLowerCase()))];
  const among = `FROM ${assignees} assigned WHERE assigned.${column} = ${alias}.id AND assigned.user_id = ANY(ARRAY(
    SELECT named.id FROM users named WHERE lower(named.username) = ANY(${bind(names)}::text[])))`;
  return matched === 'any' || names.length === 1
    ? [`EXISTS (SELECT 1 ${among})`]
    : [`(SELECT count(*) ${among}) = ${names.length}`];
}

function people(filter: TurnableFilter, { kind, alias, bind }: Listed): string[] {
  const { assignees, column } = ISSUABLE_TABLES[kind];
  const idOf = (username: string) =>
    `(SELECT named.id FROM users named WHERE lower(named.username) = lower(${bind(username)}::text))`;
  const isAssigned = (id: string | null): string =>
    `EXISTS (SELECT 1 FROM ${assignees} assigned WHERE assigned.${column} = ${alias}.id${id === null ? '' : ` AND assigned.user_id = ${id}`})`;
  const { author_id: authorId, author_username: author, assignee_id: assigneeId } = filter;
  return [
    ...(authorId === undefined ? [] : [`${alias}.author_id = ${bind(authorId)}::bigint`]),
    ...(author ? [`${alias}.author_id = ${idOf(author)}`] : []),
    ...(assigneeId === undefined ? [] : [byAssignee(assigneeId)]),
  ];

  function byAssignee(wanted: number | 'None' | 'Any'): string {
    if (wanted === 'Any') return isAssigned(null);
    // The older way to ask for nobody.
    if (wanted === 'None' || wanted === 0) return `NOT ${isAssigned(null)}`;
    return isAssigned(`${bind(wanted)}::bigint`);
  }
}

const SEARCHED = ['title', 'description'] as const;

function texts({ search, in: asked = [] }: TurnableFilter, { alias, bind }: Listed): string[] {
  const text = search?.trim() ?? '';
  if (text === '') return [];
  const chosen = SEARCHED.filter((column) => asked.includes(column));
  const words = searchWords(text);
  const found = (column: string): string => {
    const searched = `lower(${alias}.${column})`;
    if (words.length === 0) return `${searched} = lower(${bind(text)}::text)`;
    return words.map((word) => `${searched} LIKE ${bind(substringPattern(word))}`).join(' AND ');
  };
  return [(chosen.length > 0 ? chosen : SEARCHED).map((column) => `(${found(column)})`).join(' OR ')].map(
    (either) => `(${either})`,
  );
}

/** By the viewer's own marks; nobody has marked anything where nobody is signed in. */
function reacted(emoji: string, { kind, alias, viewerId, bind }: Listed): string[] {
  if (viewerId === null) return [];
  const { column } = ISSUABLE_TABLES[kind];
  const word = emoji.toLowerCase();
  const named = word === 'none' || word === 'any' ? '' : ` AND mark.name = ${bind(emoji)}`;
  const marked = `EXISTS (SELECT 1 FROM award_emoji mark
    WHERE mark.${column} = ${alias}.id AND mark.user_id = ${bind(viewerId)}::bigint${named})`;
  return [word === 'none' ? `NOT ${marked}` : marked];
}

function times(filter: IssuableFilter, { alias, bind }: Listed): string[] {
  const bounds = [
    ['created_at >=', filter.created_after],
    ['created_at <=', filter.created_before],
    ['updated_at >=', filter.updated_after],
    ['updated_at <=', filter.updated_before],
  ] as const;
  return bounds.flatMap(([compared, moment]) =>
    moment ? [`${alias}.${compared} ${bind(moment)}::timestamptz`] : [],
  );
}

/** Whether a list is of what anybody has to do with, not of the viewer's own. */
export const isAcrossPeople = ({ scope }: IssuableFilter): boolean => scope === undefined || scope === 'all';

function scoped({ scope }: IssuableFilter, { kind, alias, viewerId, bind }: Listed): string[] {
  const plain = scope?.replaceAll('-', '_');
  if (plain === undefined || plain === 'all') return [];
  if (viewerId === null) return ['false'];
  const { assignees, column } = ISSUABLE_TABLES[kind];
  return plain === 'created_by_me'
    ? [`${alias}.author_id = ${bind(viewerId)}::bigint`]
    : [
        `${alias}.id IN (SELECT mine.${column} FROM ${assignees} mine WHERE mine.user_id = ${bind(viewerId)}::bigint)`,
      ];
}

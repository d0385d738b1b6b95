import { NOTEABLE_COLUMN } from '../noteables/noteable';
import type { LabelledKind } from './labelled';

/** Makes a value a parameter of the statement, and answers how the statement calls it: "$3", ":labels". */
type Bind = (value: unknown) => string;

/** What a list filters by: no label at all, some label, or all of these titles, each of them once. */
export type WantedLabels = 'None' | 'Any' | readonly string[];

const MOST_JOINED = 4;
const NO_LABEL = ['none', 'no label', 'no+label'] as const;

/**
 * Reads the parameter `labels`; null for no filter. `None` and `Any` count in any letter case and make the names beside
 * them idle, as in the reference; `No+Label` is what old clients write for the former.
 */
export function wantedLabels(names: readonly string[] | undefined): WantedLabels | null {
  if (names === undefined || names.length === 0) return null;
  const words = new Set(names.map((name) => name.toLowerCase()));
  if (NO_LABEL.some((word) => words.has(word))) return 'None';
  return words.has('any') ? 'Any' : [...new Set(names)];
}

/**
 * SQL over the thing whose id is `idSql`: it has the labels that are wanted. Every title must be on it. The planner may
 * begin with any of the first ones; the others are counted, as its own time grows faster than the number of joins.
 */
export function labelCondition(kind: LabelledKind, idSql: string, wanted: WantedLabels, bind: Bind): string {
  const any = `EXISTS (SELECT 1 FROM label_links link WHERE link.${NOTEABLE_COLUMN[kind]} = ${idSql})`;
  if (wanted === 'Any') return any;
  if (wanted === 'None') return `NOT ${any}`;
  const links = labelsOf(kind, idSql);
  const each = wanted
    .slice(0, MOST_JOINED)
    .map((title) => `EXISTS (SELECT 1 ${links} AND wanted.title = ${bind(title)})`);
  if (wanted.length > MOST_JOINED)
    each.push(
      `(SELECT count(DISTINCT wanted.title) ${links} AND wanted.title = ANY(${bind(wanted)})) = ${wanted.length}`,
    );
  return each.join(' AND ');
}

/** SQL likewise: it has any label of these titles. */
export const anyLabelCondition = (
  kind: LabelledKind,
  idSql: string,
  titles: readonly string[],
  bind: Bind,
): string => `EXISTS (SELECT 1 ${labelsOf(kind, idSql)} AND wanted.title = ANY(${bind(titles)}))`;

const labelsOf = (kind: LabelledKind, idSql: string): string => `
  FROM label_links link JOIN labels wanted ON wanted.id = link.label_id
  WHERE link.${NOTEABLE_COLUMN[kind]} = ${idSql}`;

/**
 * SQL for the smallest priority that the project gives to one of its labels: null for none. Things are in the order of
 * it, NULLS LAST, then by id, the newest first.
 */
export const labelPriorityOf = (kind: LabelledKind, idSql: string, projectIdSql: string): string => `(
  SELECT min(ranked.priority) FROM label_links link JOIN label_priorities ranked ON ranked.label_id = link.label_id
  WHERE link.${NOTEABLE_COLUMN[kind]} = ${idSql} AND ranked.project_id = ${projectIdSql})`;

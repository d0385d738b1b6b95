import { NOTEABLE_COLUMN } from '../noteables/noteable';
import type { LabelledKind } from './labelled';

/** Makes a value a parameter of the statement, and answers how the statement calls it: "$3", ":labels". */
type Bind = (value: unknown) => string;

/** What a list filters by: no label at all, some label, or all of these titles. */
export type WantedLabels = 'None' | 'Any' | readonly string[];

/**
 * Reads the parameter `labels`; null for no filter. `None` and `Any` count where they stand alone, in any letter case,
 * and `No+Label` is what old clients write for the former.
 */
export function wantedLabels(names: readonly string[] | undefined): WantedLabels | null {
  if (names === undefined || names.length === 0) return null;
  const [only] = names.length === 1 ? names : [];
  const word = only?.toLowerCase();
  if (word === 'none' || word === 'no label' || word === 'no+label') return 'None';
  return word === 'any' ? 'Any' : [...new Set(names)];
}

/** SQL over the thing whose id is `idSql`: it has the labels that are wanted. Every title must be on it. */
export function labelCondition(kind: LabelledKind, idSql: string, wanted: WantedLabels, bind: Bind): string {
  const column = NOTEABLE_COLUMN[kind];
  const any = `EXISTS (SELECT 1 FROM label_links link WHERE link.${column} = ${idSql})`;
  if (wanted === 'Any') return any;
  if (wanted === 'None') return `NOT ${any}`;
  const titled = (title: string): string => `EXISTS (
    SELECT 1 FROM label_links link JOIN labels wanted ON wanted.id = link.label_id
    WHERE link.${column} = ${idSql} AND wanted.title = ${bind(title)})`;
  return wanted.map(titled).join(' AND ');
}

/**
 * SQL for the smallest priority that the project gives to one of its labels: null for none. Things are in the order of
 * it, NULLS LAST, then by id, the newest first.
 */
export const labelPriorityOf = (kind: LabelledKind, idSql: string, projectIdSql: string): string => `(
  SELECT min(ranked.priority) FROM label_links link JOIN label_priorities ranked ON ranked.label_id = link.label_id
  WHERE link.${NOTEABLE_COLUMN[kind]} = ${idSql} AND ranked.project_id = ${projectIdSql})`;

import fs from 'node:fs';
import path from 'node:path';
import type { CatalogueEntry } from '#libs/http';
import { NEIGHBOURS, SECTIONS } from './sections';

const E2E = path.resolve(__dirname, '../e2e');
const LITERAL = /(['"`])((?:GET|HEAD|POST|PUT|PATCH|DELETE) \/[^'"`\s]*)(?: [^'"`]*)?\1/g;

/** A row of the specification's endpoint tables with what stands for it in the code. */
export interface CoveredRow {
  readonly section: string;
  /** As `@Endpoint` and the tests name it. */
  readonly row: string;
  readonly route: string | null;
  /** Test files that name the row, relative to test/e2e. */
  readonly tests: readonly string[];
  /** Null for a row that must be covered; else what brings it. */
  readonly pending: string | null;
}

/** The specification's rows, in its order, as `@Endpoint` writes them. */
export function specificationRows(): { section: string; row: string }[] {
  const lines = fs.readFileSync(path.join(__dirname, 'endpoints.tsv'), 'utf8').trim().split('\n').slice(1);
  return lines.map((line) => {
    const [section = '', method = '', url = ''] = line.split('\t');
    return { section, row: `${method} ${url.replace(/^\/api\/v4/, '')}` };
  });
}

/** Which test files name which rows: a row begins a string, usually the title of a `describe`. */
export function rowsNamedByTests(): Map<string, string[]> {
  const named = new Map<string, string[]>();
  const files = fs
    .readdirSync(E2E, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.spec.ts'));
  for (const file of files.sort()) {
    const text = fs.readFileSync(path.join(E2E, file), 'utf8');
    for (const row of new Set([...text.matchAll(LITERAL)].map(([, , literal = '']) => literal))) {
      named.set(row, [...(named.get(row) ?? []), file]);
    }
  }
  return named;
}

export function coverageOf(endpoints: readonly CatalogueEntry[]): CoveredRow[] {
  const routes = new Map(
    endpoints.map((entry) => [entry.definition.row, `${entry.controller}.${entry.handler}`]),
  );
  const named = rowsNamedByTests();
  return specificationRows().map(({ section, row }) => {
    const route = routes.get(row) ?? null;
    const due = SECTIONS[section] ?? 'required';
    return {
      section,
      row,
      route,
      tests: named.get(row) ?? [],
      pending: due === 'required' || route !== null ? null : due,
    };
  });
}

/** Why a route that is in no row is there; null for one that has no reason. */
export function reasonFor(row: string): string | null {
  const url = row.split(' ')[1] ?? '';
  const matches = NEIGHBOURS.filter(({ prefix }) => {
    const [verb, start = ''] = prefix.split(' ');
    if (verb !== '*') return prefix === row;
    return url === start || [`${start}/`, `${start}.`].some((longer) => url.startsWith(longer));
  });
  return matches.sort((a, b) => b.prefix.length - a.prefix.length)[0]?.reason ?? null;
}

/** The report of `npm run spec:coverage`. */
export function coverageReport(rows: readonly CoveredRow[]): string {
  const lines = rows.map(({ section, row, route, tests, pending }) => {
    if (pending !== null) return `pending  ${section.padEnd(19)} ${row}  (${pending})`;
    const mark = route !== null && tests.length > 0 ? 'covered' : 'MISSING';
    return `${mark}  ${section.padEnd(19)} ${row}  ${route ?? 'no route'}  ${tests.join(', ') || 'no test'}`;
  });
  const covered = rows.filter(({ route, tests }) => route !== null && tests.length > 0).length;
  const pending = rows.filter((row) => row.pending !== null).length;
  const sum = `${covered} covered, ${pending} pending, ${rows.length - covered - pending} missing, of ${rows.length} rows`;
  return [...lines, '', sum, ''].join('\n');
}

import { Level } from '#libs/access';
import { Database, paginateStatement } from '#libs/database';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import type { UserSummary } from '../../identity/identity.api';
import { projectLevel } from '../../repository/repository.api';
import { takesPart } from '../issues/readable-issues';
import { ISSUABLE_TABLES, type IssuableKind, type IssuableRef } from './issuable-tables';
import { mentionedPeople } from './mentioned-people';

/** Notes of the discussion itself; the index of their authors has no others. */
const OWN_NOTES = 'num_nonnulls(n.from_issue_id, n.from_merge_request_id, n.from_project_id) = 0';

const LEVEL = projectLevel({
  user: 'u.id',
  project: 'p.id',
  owner: 'ns.owner_id',
  traversal: 'ns.traversal_ids',
});

/** Whether somebody sees the project without being in it. */
const OPEN = `(p.visibility = 'public' OR p.visibility = 'internal' AND NOT u.is_external)`;

/** Those `u` who may read the issuable `i` of the project `p` today, as `readableIssue` and `readableMergeRequest` have it. */
const MAY_READ: Record<IssuableKind, string> = {
  Issue: `p.issues_access <> 'disabled' AND (
    u.is_admin
    OR ${OPEN} AND p.issues_access = 'enabled' AND (NOT i.confidential OR ${takesPart('u.id', 'i')})
    OR ${LEVEL} >= CASE WHEN i.confidential AND NOT ${takesPart('u.id', 'i')}
      THEN ${Level.reporter} ELSE ${Level.guest} END)`,
  MergeRequest: `p.merge_requests_access <> 'disabled' AND p.repository_access <> 'disabled' AND (
    u.is_admin
    OR ${OPEN} AND p.merge_requests_access = 'enabled' AND p.repository_access = 'enabled'
    OR ${LEVEL} >= CASE WHEN ${OPEN} THEN ${Level.guest} ELSE ${Level.reporter} END)`,
};

/** Who wrote it, has it to do, says something in it or is called in it. */
@Injectable()
export class ParticipantsRepository {
  constructor(private readonly database: Database) {}

  /** In the order of what makes them take part, and only those who may read it. */
  page(
    { kind, id }: IssuableRef,
    description: string | null,
    request: PageRequest,
  ): Promise<Page<UserSummary>> {
    const values = [id, mentionedPeople(description)];
    return paginateStatement<UserSummary>(this.database, participants(kind), values, request);
  }

  /** In which of them the user takes part, but for being called in a description. */
  async takenPartIn(userId: number, kind: IssuableKind, ids: readonly number[]): Promise<Set<number>> {
    if (ids.length === 0) return new Set();
    const { table, assignees, column } = ISSUABLE_TABLES[kind];
    const rows = await this.database.prepared<{ id: number }>(
      `taken_part_in_${table}`,
      `SELECT i.id FROM ${table} i WHERE i.id = ANY($1::bigint[]) AND (
         i.author_id = $2
         OR EXISTS (SELECT 1 FROM ${assignees} a WHERE a.${column} = i.id AND a.user_id = $2)
         OR EXISTS (SELECT 1 FROM notes n WHERE n.${column} = i.id AND n.author_id = $2 AND ${OWN_NOTES})
         OR EXISTS (SELECT 1 FROM note_mentions m WHERE m.${column} = i.id AND m.user_id = $2))`,
      [ids, userId],
    );
    return new Set(rows.map((row) => row.id));
  }
}

/**
 * The authors of notes, and those whom notes call, are found one after the other: as many steps as there are people,
 * however much is said.
 */
function participants(kind: IssuableKind): string {
  const { table, assignees, column } = ISSUABLE_TABLES[kind];
  return `
    WITH RECURSIVE
    ${peopleIn('speaker', `SELECT n.author_id AS id FROM notes n WHERE n.${column} = $1 AND ${OWN_NOTES}`, 'n.author_id')},
    ${peopleIn('called', `SELECT m.user_id AS id FROM note_mentions m WHERE m.${column} = $1`, 'm.user_id')},
    taker AS (
      SELECT author_id AS id, 1 AS place FROM ${table} WHERE id = $1
      UNION ALL SELECT user_id, 2 FROM ${assignees} WHERE ${column} = $1
      UNION ALL SELECT id, 3 FROM speaker
      UNION ALL SELECT id, 4 FROM users WHERE lower(username) = ANY($2::text[])
      UNION ALL SELECT id, 4 FROM called)
    SELECT u.id, u.username, u.name, u.state, u.avatar
    FROM (SELECT id, min(place) AS place FROM taker WHERE id IS NOT NULL GROUP BY id) AS participant
    JOIN users u ON u.id = participant.id AND NOT u.pending_delete
    JOIN ${table} i ON i.id = $1
    WHERE EXISTS (
      SELECT 1 FROM projects p JOIN namespaces ns ON ns.id = p.namespace_id
      WHERE p.id = i.project_id AND ${MAY_READ[kind]})
    ORDER BY participant.place, participant.id`;
}

/** Steps through an index that ends with the people's ids. */
const peopleIn = (name: string, rows: string, id: string): string => `
  ${name} AS (
    (${rows} AND ${id} IS NOT NULL ORDER BY ${id} LIMIT 1)
    UNION ALL
    SELECT (${rows} AND ${id} > ${name}.id ORDER BY ${id} LIMIT 1) FROM ${name} WHERE ${name}.id IS NOT NULL)`;

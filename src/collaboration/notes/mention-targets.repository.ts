import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { readableIssue, type Bind, type NoteableKind, type NoteableRef } from '../../planning/planning.api';
import { readableMergeRequest } from '../merge-requests/readable-merge-requests';
import { readableEpic, readableSnippet, type Viewer } from './readable-sources';

/** Something named by where it is and its number there. */
export interface NamedThing {
  readonly kind: NoteableKind;
  /** Full path of its project, of an epic its group. */
  readonly path: string;
  readonly iid: number;
}

/** Where a thing is: what its name is shortened by. */
export interface Place {
  /** Null of an epic. */
  readonly projectId: number | null;
  /** Of the project, or the epic's group. */
  readonly namespaceId: number;
}

export type MentionTarget = NoteableRef & Place;

/** What a mention is said to come from. */
export interface MentionSource extends Place {
  readonly iid: number;
  /** Of the project, or the epic's group; its last part is the path of itself. */
  readonly fullPath: string;
  readonly namespacePath: string;
}

type Readable = (viewer: Viewer, bind: Bind, alias: string) => string;

/** In projects: `column` is the number in the name. */
const inProject = (table: string, column: string, readable: Readable) => (viewer: Viewer, bind: Bind) => `
  SELECT target.id, p.id AS "projectId", p.namespace_id AS "namespaceId"
  FROM unnest($1::text[], $2::bigint[]) AS named(path, number)
  JOIN routes r ON lower(r.path) = lower(named.path)
  JOIN projects p ON p.id = r.project_id AND NOT p.archived AND NOT p.pending_delete
  JOIN ${table} target ON target.project_id = p.id AND target.${column} = named.number
  WHERE ${readable(viewer, bind, 'target')}`;

const TARGETS: Record<NoteableKind, (viewer: Viewer, bind: Bind) => string> = {
  Issue: inProject('issues', 'iid', readableIssue),
  MergeRequest: inProject('merge_requests', 'iid', readableMergeRequest),
  Snippet: inProject('snippets', 'id', readableSnippet),
  Epic: (viewer, bind) => `
    SELECT target.id, NULL AS "projectId", target.group_id AS "namespaceId"
    FROM unnest($1::text[], $2::bigint[]) AS named(path, number)
    JOIN routes r ON lower(r.path) = lower(named.path)
    JOIN epics target ON target.group_id = r.namespace_id AND target.iid = named.number
    WHERE ${readableEpic(viewer, bind, 'target')}`,
};

const sourceInProject = (table: string, column: string): string => `
  SELECT source.${column} AS iid, p.id AS "projectId", p.namespace_id AS "namespaceId", r.path AS "fullPath",
    nr.path AS "namespacePath"
  FROM ${table} source JOIN projects p ON p.id = source.project_id JOIN routes r ON r.project_id = p.id
  JOIN routes nr ON nr.namespace_id = p.namespace_id WHERE source.id = $1`;

const SOURCES: Record<NoteableKind, string> = {
  Issue: sourceInProject('issues', 'iid'),
  MergeRequest: sourceInProject('merge_requests', 'iid'),
  Snippet: sourceInProject('snippets', 'id'),
  Epic: `
    SELECT source.iid, NULL AS "projectId", source.group_id AS "namespaceId", r.path AS "fullPath", r.path AS "namespacePath"
    FROM epics source JOIN routes r ON r.namespace_id = source.group_id WHERE source.id = $1`,
};

/** Finds what texts name, and what tells where a text stands. */
@Injectable()
export class MentionTargets {
  constructor(private readonly database: Database) {}

  /** Those that the viewer may see, outside of archived projects; one query for each kind that is named. */
  async find(viewer: Viewer, named: readonly NamedThing[]): Promise<MentionTarget[]> {
    const found: MentionTarget[] = [];
    for (const kind of new Set(named.map((thing) => thing.kind))) {
      const ofKind = named.filter((thing) => thing.kind === kind);
      const values: unknown[] = [ofKind.map(({ path }) => path), ofKind.map(({ iid }) => iid)];
      const text = TARGETS[kind](viewer, (value) => `$${values.push(value)}`);
      const rows: Omit<MentionTarget, 'kind'>[] = await this.database.manager.query(text, values);
      found.push(...rows.map((row) => ({ ...row, kind })));
    }
    return found;
  }

  /** Null where the thing is gone, and for a snippet of no project. */
  async source({ kind, id }: NoteableRef): Promise<MentionSource | null> {
    const [row] = await this.database.prepared<MentionSource & { id: number }>(
      `mention_source_${kind}`,
      SOURCES[kind],
      [id],
    );
    return row ?? null;
  }
}

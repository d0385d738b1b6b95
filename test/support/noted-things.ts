import type { TestApplication } from './application';
import type { BuiltGroup, BuiltProject, BuiltUser } from './builders';

/** Something that can be discussed, with where its notes are. */
export interface NotedThing {
  readonly id: number;
  /** Null of a snippet. */
  readonly iid: number | null;
  readonly kind: 'Issue' | 'MergeRequest' | 'Snippet' | 'Epic';
  /** Where its own record is. */
  readonly url: string;
  readonly notes: string;
}

type Columns = Readonly<Record<string, unknown>>;

/** Makes things to be discussed, straight in the database. */
export class NotedThings {
  /** Below are the numbers that the service itself gives. */
  private last = 1_000;

  constructor(private readonly app: TestApplication) {}

  async issue(project: BuiltProject, author: BuiltUser, columns: Columns = {}): Promise<NotedThing> {
    const iid = this.next();
    const id = await this.insert('issues', {
      iid,
      project_id: project.id,
      author_id: author.id,
      title: 'An issue',
      ...columns,
    });
    return thing('Issue', id, iid, `/projects/${project.id}/issues/${iid}`);
  }

  async mergeRequest(project: BuiltProject, author: BuiltUser, columns: Columns = {}): Promise<NotedThing> {
    const iid = this.next();
    const id = await this.insert('merge_requests', {
      iid,
      project_id: project.id,
      source_project_id: project.id,
      source_branch: `feature-${iid}`,
      target_branch: 'master',
      author_id: author.id,
      title: 'A merge request',
      ...columns,
    });
    return thing('MergeRequest', id, iid, `/projects/${project.id}/merge_requests/${iid}`);
  }

  async snippet(project: BuiltProject, author: BuiltUser, columns: Columns = {}): Promise<NotedThing> {
    const id = await this.insert('snippets', {
      project_id: project.id,
      author_id: author.id,
      title: 'A snippet',
      content: 'puts 1',
      visibility: 'public',
      ...columns,
    });
    return thing('Snippet', id, null, `/projects/${project.id}/snippets/${id}`);
  }

  async epic(group: BuiltGroup, author: BuiltUser, columns: Columns = {}): Promise<NotedThing> {
    const iid = this.next();
    const id = await this.insert('epics', {
      iid,
      group_id: group.id,
      author_id: author.id,
      title: 'An epic',
      ...columns,
    });
    return thing('Epic', id, iid, `/groups/${group.id}/epics/${id}`);
  }

  /** How many notes of people the thing tells of. */
  async countOf({ kind, id }: NotedThing): Promise<number> {
    const { rows } = await this.app.database.query<{ count: number }>(
      `SELECT user_notes_count AS count FROM ${TABLES[kind]} WHERE id = $1`,
      [id],
    );
    return Number(rows[0]?.count);
  }

  private next(): number {
    this.last += 1;
    return this.last;
  }

  private async insert(table: string, columns: Columns): Promise<number> {
    const names = Object.keys(columns);
    const { rows } = await this.app.database.query<{ id: string }>(
      `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')})
       RETURNING id`,
      Object.values(columns),
    );
    return Number(rows[0]?.id);
  }
}

const TABLES = {
  Issue: 'issues',
  MergeRequest: 'merge_requests',
  Snippet: 'snippets',
  Epic: 'epics',
} as const;

const thing = (kind: NotedThing['kind'], id: number, iid: number | null, url: string): NotedThing => ({
  id,
  iid,
  kind,
  url,
  notes: `${url}/notes`,
});

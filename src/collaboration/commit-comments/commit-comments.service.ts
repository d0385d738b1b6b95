import { signedIn, type Actor } from '#libs/access';
import { ZERO_SHA } from '#libs/git';
import type { ParamsOf } from '#libs/http';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { Repositories, requireCommit, type Project } from '../../repository/repository.api';
import { diffLineAt } from '../notes/diff-lines';
import type { DiffPosition } from '../notes/diff-position';
import { DiscussedCommits } from '../notes/discussed-commits.service';
import { NoteLists } from '../notes/note-lists.repository';
import { NoteWriting, type NotePlace } from '../notes/note-writing.service';
import type { ShownNote } from '../notes/shown-note';
import { ShownNotes } from '../notes/shown-notes.service';
import type { CreateCommitComment, ListCommitComments } from './commit-comment.params';

/** Sees what is for everybody: what people say about commits comes from nowhere else. */
const ANYBODY = { id: 0, isAdmin: false, isExternal: true };
const OLDEST_FIRST = { by: 'created_at', direction: 'asc' } as const;

/** The notes on commits in the words of the specification (Commits: comments). */
@Injectable()
export class CommitComments {
  constructor(
    private readonly repositories: Repositories,
    private readonly commits: DiscussedCommits,
    private readonly lists: NoteLists,
    private readonly writing: NoteWriting,
    private readonly shown: ShownNotes,
  ) {}

  /** Those of all discussions of the commit, for anybody who reads the code. */
  async list(
    actor: Actor,
    project: Project,
    { sha }: ParamsOf<typeof ListCommitComments>,
    request: PageRequest,
  ): Promise<Page<ShownNote>> {
    const on = await this.commits.find(actor, project, sha);
    const page = await this.lists.writtenPage(on.ref, actor.user ?? ANYBODY, OLDEST_FIRST, request);
    return { ...page, rows: await this.shown.of(on, page.rows) };
  }

  async create(
    actor: Actor,
    project: Project,
    params: ParamsOf<typeof CreateCommitComment>,
  ): Promise<ShownNote> {
    signedIn(actor);
    const on = await this.commits.take(actor, project, params.sha);
    const position = await this.positionOf(project, params);
    const place: NotePlace = position ? { type: 'DiffNote', position } : {};
    return this.shown.one(on, await this.writing.write(actor, on, { body: params.note }, place));
  }

  /** A place that the commit's diff does not show makes it a comment on the whole commit (specification, Commits). */
  private async positionOf(
    project: Project,
    { sha: name, path, line: number, line_type: side = 'new' }: ParamsOf<typeof CreateCommitComment>,
  ): Promise<DiffPosition | null> {
    if (path === undefined || number === undefined || number < 1) return null;
    const repository = this.repositories.open(project);
    const { sha, parents } = await requireCommit(repository, name);
    const diffs = await repository.diff(sha);
    const file = diffs.find(({ newPath, oldPath }) => (side === 'new' ? newPath : oldPath) === path);
    const line = file && diffLineAt(file.text, number, side);
    if (!file || !line) return null;
    const parent = parents[0] ?? ZERO_SHA;
    const isUnchanged = line.oldLine !== null && line.newLine !== null;
    return {
      base_sha: parent,
      start_sha: parent,
      head_sha: sha,
      old_path: file.oldPath,
      new_path: file.newPath,
      position_type: 'text',
      old_line: line.oldLine,
      new_line: line.newLine,
      ...(isUnchanged && { counted_on: side }),
    };
  }
}

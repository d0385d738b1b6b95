import { invalid } from '#libs/errors';
import { ZERO_SHA, type FileDiff } from '#libs/git';
import { Injectable } from '@nestjs/common';
import { Repositories, requireCommit, type Project } from '../../repository/repository.api';
import { diffHasLine } from './diff-lines';
import type { DiffPosition } from './diff-position';
import { DiffVersions } from './diff-versions.repository';
import type { Discussed } from './discussed';
import type { PositionParams } from './discussion.params';

const NO_LINE = { line_code: ["can't be blank", 'must be a valid line code'] };

/** Finds out where in the difference of a merge request or a commit a remark is meant to stand. */
@Injectable()
export class DiffPositions {
  constructor(
    private readonly versions: DiffVersions,
    private readonly repositories: Repositories,
  ) {}

  /**
   * Throws `validation` for commits that are no version of the merge request, or not the commit and the one before it, and
   * for a place that their difference does not show.
   */
  async require(project: Project, on: Discussed, wanted: PositionParams): Promise<DiffPosition> {
    const diffs = await (on.sha === undefined
      ? this.diffsOfMergeRequest(project, on.ref.id, wanted)
      : this.diffsOfCommit(project, on.sha, wanted));
    const { base_sha, start_sha, head_sha, position_type } = wanted;
    const { new_path: newPath, old_path: oldPath } = wanted;
    const file = diffs.find(
      (diff) => (newPath ?? diff.newPath) === diff.newPath && (oldPath ?? diff.oldPath) === diff.oldPath,
    );
    if (!file || (newPath === undefined && oldPath === undefined)) throw invalid(NO_LINE);
    const paths = { old_path: file.oldPath, new_path: file.newPath };
    const place = { base_sha, start_sha, head_sha, ...paths, position_type };
    return position_type === 'text'
      ? { ...place, ...lineIn(file.text, wanted) }
      : { ...place, ...pointOf(wanted) };
  }

  private async diffsOfMergeRequest(
    project: Project,
    mergeRequestId: number,
    { base_sha, start_sha, head_sha }: PositionParams,
  ): Promise<FileDiff[]> {
    const refs = { base_sha, start_sha, head_sha };
    if (!(await this.versions.has(mergeRequestId, refs))) throw invalid({ position: ['is incomplete'] });
    return this.repositories.open(project).diffBetween(base_sha, head_sha);
  }

  private async diffsOfCommit(
    project: Project,
    sha: string,
    { base_sha, start_sha, head_sha }: PositionParams,
  ): Promise<FileDiff[]> {
    const repository = this.repositories.open(project);
    const commit = await requireCommit(repository, sha);
    const parent = commit.parents[0] ?? ZERO_SHA;
    if (head_sha !== commit.sha || base_sha !== parent || start_sha !== parent)
      throw invalid({ commit_id: ['does not match the diff refs'] });
    return repository.diff(commit.sha);
  }
}

function lineIn(text: string, wanted: PositionParams) {
  const [oldLine, newLine] = [wanted.old_line ?? null, wanted.new_line ?? null];
  if (!diffHasLine(text, { oldLine, newLine })) throw invalid(NO_LINE);
  return { old_line: oldLine, new_line: newLine };
}

function pointOf({ width, height, x, y }: PositionParams) {
  if (width === undefined || height === undefined || x === undefined || y === undefined)
    throw invalid({ position: ['is incomplete'] });
  return { old_line: null, new_line: null, width, height, x, y };
}

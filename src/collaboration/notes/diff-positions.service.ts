import { invalid } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import { Repositories, type Project } from '../../repository/repository.api';
import { DiffVersions } from './diff-versions.repository';
import type { DiffPosition } from './diff-position';
import type { PositionParams } from './discussion.params';
import { diffHasLine } from './diff-lines';

const NO_LINE = { line_code: ["can't be blank", 'must be a valid line code'] };

/** Finds out where in the difference of a merge request a remark is meant to stand. */
@Injectable()
export class DiffPositions {
  constructor(
    private readonly versions: DiffVersions,
    private readonly repositories: Repositories,
  ) {}

  /**
   * Throws `validation` for commits that are no version of the merge request, and for a place that their difference does
   * not show.
   */
  async require(project: Project, mergeRequestId: number, wanted: PositionParams): Promise<DiffPosition> {
    const { base_sha, start_sha, head_sha, position_type } = wanted;
    const refs = { base_sha, start_sha, head_sha };
    if (!(await this.versions.has(mergeRequestId, refs))) throw invalid({ position: ['is incomplete'] });
    const diffs = await this.repositories.open(project).diffBetween(base_sha, head_sha);
    const { new_path: newPath, old_path: oldPath } = wanted;
    const file = diffs.find(
      (diff) => (newPath ?? diff.newPath) === diff.newPath && (oldPath ?? diff.oldPath) === diff.oldPath,
    );
    if (!file || (newPath === undefined && oldPath === undefined)) throw invalid(NO_LINE);
    const place = { ...refs, old_path: file.oldPath, new_path: file.newPath, position_type };
    return position_type === 'text'
      ? { ...place, ...lineIn(file.text, wanted) }
      : { ...place, ...pointOf(wanted) };
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

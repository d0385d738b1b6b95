/** On which side of a diff a line is counted. */
export const LINE_TYPES = ['new', 'old'] as const;
export type LineType = (typeof LINE_TYPES)[number];

/** Where in the difference of a merge request or a commit a remark stands, in the reference's words. */
export interface DiffPosition {
  /** Null, as `start_sha`, of old comments on commits alone. */
  readonly base_sha: string | null;
  readonly start_sha: string | null;
  readonly head_sha: string;
  readonly old_path: string;
  readonly new_path: string;
  readonly position_type: 'text' | 'image';
  /** Of text: one of the two for a changed line, both for an unchanged one. */
  readonly old_line: number | null;
  readonly new_line: number | null;
  /** Of an image, in pixels. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly x?: number | undefined;
  readonly y?: number | undefined;
  /** Where a comment on a commit named an unchanged line by its number on that side. */
  readonly counted_on?: LineType;
}

/** As it is told to others: in the order of the record, which the database does not keep. */
export function shownPosition({ counted_on: _countedOn, ...position }: DiffPosition): DiffPosition {
  const { base_sha, start_sha, head_sha, old_path, new_path, position_type, old_line, new_line } = position;
  const first = { base_sha, start_sha, head_sha, old_path, new_path, position_type, old_line, new_line };
  return { ...first, ...position };
}

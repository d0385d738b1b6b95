/** Where in the difference of a merge request a remark stands, in the reference's words. */
export interface DiffPosition {
  readonly base_sha: string;
  readonly start_sha: string;
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
}

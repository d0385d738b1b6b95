import { params, wire } from '#libs/http';
import { LINE_TYPES } from '../notes/diff-position';

const LARGEST_LINE = 2_147_483_647;
const LONGEST_NOTE = 1_000_000;

export const ListCommitComments = params({ sha: wire.text() });

export const CreateCommitComment = params({
  sha: wire.text(),
  note: wire.text({ blank: false, max: LONGEST_NOTE }),
  path: wire.text().optional(),
  line: wire.integer({ min: -LARGEST_LINE, max: LARGEST_LINE }).optional(),
  line_type: wire.oneOf(LINE_TYPES).optional().describe('`new` by default'),
});

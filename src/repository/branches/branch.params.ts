import { params, wire } from '#libs/http';

export const ListBranches = params({
  search: wire.text().optional().describe('Text in the name; `^text` for its beginning, `text$` for its end'),
});

export const BranchPath = params({ branch: wire.text().describe('URL-encoded name of the branch') });

export const CreateBranch = params({
  branch: wire.text({ blank: false }),
  ref: wire.text({ blank: false }).describe('Branch, tag or commit to start from'),
});

export const ProtectBranch = BranchPath.extend({
  developers_can_push: wire.boolean().optional(),
  developers_can_merge: wire.boolean().optional(),
});

export const DeleteMergedBranches = params({});

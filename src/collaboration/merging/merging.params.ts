import { params, wire } from '#libs/http';

export const MergeRequestPath = params({
  id: wire.idOrPath().describe('Id or path of the project'),
  merge_request_iid: wire.integer(),
});

export const AcceptMergeRequest = MergeRequestPath.extend({
  merge_commit_message: wire.text().optional(),
  squash_commit_message: wire.text().optional(),
  squash: wire.boolean().optional().describe('Join all commits in one'),
  should_remove_source_branch: wire.boolean().optional(),
  merge_when_pipeline_succeeds: wire.boolean().optional(),
  sha: wire.text().optional().describe('Where the source branch has to be'),
});

import { Endpoint, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { presentPipeline, presentPipelineSummary } from '../../ci/ci.api';
import { presentIssue } from '../../planning/planning.api';
import { presentCommit } from '../../repository/repository.api';
import { MadePipelines } from '../merge-request-pipelines/made-pipelines.service';
import { presentChanges } from './changes.presenter';
import { MergeRequestContents } from './merge-request-contents.service';
import { presentVersion, presentVersionDetails } from './version.presenter';
import { MergeRequestPath, VersionPath } from '../merge-requests/merge-request.params';

/** Hidden ones are not there: the services say so. */
const LIST = { access: 'project:reader', params: MergeRequestPath, paginated: true } as const;
const ITEM = { access: 'project:reader' } as const;

/** What a merge request brings: commits, changes, versions; what was built of it, and which issues it closes. */
@Controller()
export class MergeRequestContentController {
  constructor(
    private readonly contents: MergeRequestContents,
    private readonly pipelines: MadePipelines,
  ) {}

  @Endpoint('GET /projects/:id/merge_requests/:merge_request_iid/commits', {
    ...LIST,
    presents: presentCommit,
  })
  commits({ actor, subject: project, params, page }: ProjectCall<typeof MergeRequestPath>) {
    return this.contents.commits(actor, project, params.merge_request_iid, page);
  }

  @Endpoint('GET /projects/:id/merge_requests/:merge_request_iid/changes', {
    ...ITEM,
    params: MergeRequestPath,
    presents: presentChanges,
  })
  changes({ actor, subject: project, params }: ProjectCall<typeof MergeRequestPath>) {
    return this.contents.changes(actor, project, params.merge_request_iid);
  }

  @Endpoint('GET /projects/:id/merge_requests/:merge_request_iid/versions', {
    ...LIST,
    presents: presentVersion,
  })
  versions({ actor, subject: project, params, page }: ProjectCall<typeof MergeRequestPath>) {
    return this.contents.versions(actor, project, params.merge_request_iid, page);
  }

  @Endpoint('GET /projects/:id/merge_requests/:merge_request_iid/versions/:version_id', {
    ...ITEM,
    params: VersionPath,
    presents: presentVersionDetails,
  })
  version({ actor, subject: project, params }: ProjectCall<typeof VersionPath>) {
    return this.contents.version(actor, project, params);
  }

  @Endpoint('GET /projects/:id/merge_requests/:merge_request_iid/closes_issues', {
    ...LIST,
    presents: presentIssue,
  })
  closesIssues({ actor, subject: project, params, page }: ProjectCall<typeof MergeRequestPath>) {
    return this.contents.closesIssues(actor, project, params.merge_request_iid, page);
  }

  @Endpoint('GET /projects/:id/merge_requests/:merge_request_iid/pipelines', {
    ...LIST,
    presents: presentPipelineSummary,
  })
  pipelinesOf({ actor, subject: project, params, page }: ProjectCall<typeof MergeRequestPath>) {
    return this.pipelines.list(actor, project, params.merge_request_iid, page);
  }

  @Endpoint('POST /projects/:id/merge_requests/:merge_request_iid/pipelines', {
    ...ITEM,
    params: MergeRequestPath,
    presents: presentPipeline,
  })
  makePipeline({ actor, subject: project, params }: ProjectCall<typeof MergeRequestPath>) {
    return this.pipelines.make(actor, project, params.merge_request_iid);
  }
}

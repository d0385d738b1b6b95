import { Endpoint, type ProjectCall } from '#libs/http';
import { Controller, UseGuards } from '@nestjs/common';
import { BranchEntryGuard } from '../changes/branch-entry.guard';
import { CommitMaking } from './commit-making.service';
import { ApplyCommit, CommitPath, CommitRefs, CreateCommit, ListCommits, ReadCommit } from './commit.params';
import { presentCommitDetails, presentListedCommit } from './commit.presenter';
import { CommitsService } from './commits.service';
import { presentDiff } from './diff.presenter';
import { presentReference } from './reference.presenter';

const READ = { access: 'project:download_code', accessFirst: 'project:download_code' } as const;
/** With BranchEntryGuard: either they push to the project, or the branch is lent to them. */
const WRITE = {
  access: 'project:commit_somewhere',
  accessFirst: 'project:download_code',
  loginFirst: false,
} as const;

/** Specification, Commits. Comments, statuses and merge requests of a commit belong to the contexts of their records. */
@Controller()
export class CommitsController {
  constructor(
    private readonly commits: CommitsService,
    private readonly making: CommitMaking,
  ) {}

  @Endpoint('GET /projects/:id/repository/commits', {
    ...READ,
    params: ListCommits,
    presents: presentListedCommit,
    paginated: true,
  })
  list({ subject: project, params, page, signal }: ProjectCall<typeof ListCommits>) {
    return this.commits.list(project, params, page, signal);
  }

  @UseGuards(BranchEntryGuard)
  @Endpoint('POST /projects/:id/repository/commits', {
    ...WRITE,
    params: CreateCommit,
    presents: presentListedCommit,
  })
  create({ actor, subject: project, params }: ProjectCall<typeof CreateCommit>) {
    return this.making.create(actor, project, params);
  }

  @Endpoint('GET /projects/:id/repository/commits/:sha', {
    ...READ,
    params: ReadCommit,
    presents: presentCommitDetails,
  })
  get({ actor, subject: project, params }: ProjectCall<typeof ReadCommit>) {
    return this.commits.find(actor, project, params);
  }

  @Endpoint('GET /projects/:id/repository/commits/:sha/refs', {
    ...READ,
    params: CommitRefs,
    presents: presentReference,
    paginated: true,
  })
  refs({ subject: project, params, page, signal }: ProjectCall<typeof CommitRefs>) {
    return this.commits.refs(project, params, page, signal);
  }

  @UseGuards(BranchEntryGuard)
  @Endpoint('POST /projects/:id/repository/commits/:sha/cherry_pick', {
    ...WRITE,
    params: ApplyCommit,
    presents: presentListedCommit,
  })
  cherryPick({ actor, subject: project, params }: ProjectCall<typeof ApplyCommit>) {
    return this.making.cherryPick(actor, project, params);
  }

  @UseGuards(BranchEntryGuard)
  @Endpoint('POST /projects/:id/repository/commits/:sha/revert', {
    ...WRITE,
    params: ApplyCommit,
    presents: presentListedCommit,
  })
  revert({ actor, subject: project, params }: ProjectCall<typeof ApplyCommit>) {
    return this.making.revert(actor, project, params);
  }

  @Endpoint('GET /projects/:id/repository/commits/:sha/diff', {
    ...READ,
    params: CommitPath,
    presents: presentDiff,
    paginated: true,
  })
  diff({ subject: project, params, page, signal }: ProjectCall<typeof CommitPath>) {
    return this.commits.diff(project, params, page, signal);
  }
}

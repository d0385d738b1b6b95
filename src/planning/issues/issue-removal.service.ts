import { PROJECT_POLICY, type Actor } from '#libs/access';
import { Database } from '#libs/database';
import { forbidden, notFound, requireUnmodified } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import type { Project } from '../../repository/repository.api';
import { IssueLookup } from './issue-lookup.service';
import { IssuesRepository } from './issues.repository';

/** Deletes issues, with all that hangs on them. */
@Injectable()
export class IssueRemoval {
  constructor(
    private readonly database: Database,
    private readonly issues: IssuesRepository,
    private readonly lookup: IssueLookup,
  ) {}

  /** Throws "404 Issue Not Found", 403 for all but owners, and 412 for an issue that was changed since. */
  async remove(actor: Actor, project: Project, iid: number, unmodifiedSince: Date | null): Promise<void> {
    const found = await this.lookup.find(actor, project, iid);
    if (!found) throw notFound('Issue');
    if (!PROJECT_POLICY.delete_issues(actor, project)) throw forbidden();
    await this.database.transaction(async () => {
      const issue = await this.issues.hold(found.id);
      if (issue?.projectId !== project.id) throw notFound('Issue');
      requireUnmodified(issue.updatedAt, unmodifiedSince);
      await this.issues.delete(issue.id);
      if (issue.isOpen && !issue.confidential) await this.issues.countOpen(project.id, -1);
    });
  }
}

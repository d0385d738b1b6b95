import { signedIn, type Actor } from '#libs/access';
import { notFound } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import { AccessibleProjects, type Project } from '../../repository/repository.api';
import type { DescribedIssue } from './described-issue';
import { IssueDescriptions } from './issue-descriptions.service';
import { IssueEffects } from './issue-effects.service';
import { IssueLookup } from './issue-lookup.service';
import { IssueMoves } from './issue-moves.service';

/** Finds what is to be moved where, and tells of it. */
@Injectable()
export class IssueMoving {
  constructor(
    private readonly projects: AccessibleProjects,
    private readonly lookup: IssueLookup,
    private readonly moves: IssueMoves,
    private readonly effects: IssueEffects,
    private readonly descriptions: IssueDescriptions,
  ) {}

  /** Throws "404 Issue Not Found" or "404 Project Not Found" for what is missing or hidden. */
  async move(
    actor: Actor,
    project: Project,
    { issue_iid: iid, to_project_id: toId }: { readonly issue_iid: number; readonly to_project_id: number },
  ): Promise<DescribedIssue> {
    const issue = await this.lookup.find(actor, project, iid);
    if (!issue) throw notFound('Issue');
    const target = await this.projects.require(actor, toId);
    const about = { kind: 'Issue', id: issue.id } as const;
    const actorId = signedIn(actor).id;
    const copy = await this.moves.move(actor, project, issue, target, ({ copy, formerName }) =>
      this.effects.tell({
        issue: copy,
        actorId,
        action: 'open',
        notes: [{ action: 'moved', body: `moved from ${formerName}`, about }],
        changes: {},
      }),
    );
    return this.descriptions.describeOne(target.actor, copy);
  }
}

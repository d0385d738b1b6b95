import type { Actor } from '#libs/access';
import { Urls } from '#libs/presenting';
import { Injectable } from '@nestjs/common';
import { AccessibleProjects, ActingUsers, type Project } from '../../repository/repository.api';
import { parseClosed } from '../references/parse-closed';
import { pathOf } from '../references/reference';
import { IssueLookup } from './issue-lookup.service';
import { IssueStates, type ClosingCause } from './issue-states.service';
import { projectName } from './named-places';

/** What has come to the default branch: a commit, or a merge request as a whole. */
export type Closer =
  | { readonly kind: 'commit'; readonly sha: string }
  | { readonly kind: 'merge_request'; readonly id: number; readonly iid: number };

/** A text that may close issues, and what it comes from. */
export interface ClosingText {
  /** Where it stands: short names in it are looked up there. */
  readonly project: Project;
  /** On whose behalf: they close what they may close. */
  readonly actorId: number;
  readonly text: string;
  readonly by: Closer;
  /** When that was: what somebody has opened again since then stays open. */
  readonly at: Date;
}

/** Closes the issues that commits and merge requests say they close. */
@Injectable()
export class IssueClosing {
  constructor(
    private readonly users: ActingUsers,
    private readonly projects: AccessibleProjects,
    private readonly lookup: IssueLookup,
    private readonly states: IssueStates,
    private readonly urls: Urls,
  ) {}

  /**
   * Every issue in a transaction of its own, so call it outside of one; again it changes nothing. What is not there, hidden
   * from the user or not theirs to close is passed over.
   */
  async closeNamed({ project, actorId, text, by, at }: ClosingText): Promise<void> {
    const named = parseClosed(text, this.urls);
    const actor = named.length === 0 ? null : await this.users.find(actorId, project);
    if (!actor) return;
    for (const reference of named) {
      const place = await this.placeOf(actor, project, pathOf(reference, project.fullPath));
      const issue = place && (await this.lookup.find(place.actor, place.project, reference.iid));
      if (!issue) continue;
      await this.states.closeBy(place.actor, place.project, issue.id, {
        cause: causeOf(by, project, place.project),
        at,
      });
    }
  }

  private placeOf(actor: Actor, project: Project, path: string) {
    return path === project.fullPath ? Promise.resolve({ actor, project }) : this.projects.find(actor, path);
  }
}

/** As the discussion of the issue, which may be of another project, calls it. */
function causeOf(by: Closer, from: Project, seenFrom: Project): ClosingCause {
  const path = projectName(from.fullPath, seenFrom.fullPath);
  if (by.kind === 'merge_request')
    return { name: `merge request ${path}!${by.iid}`, about: { kind: 'MergeRequest', id: by.id } };
  const name = `commit ${path}${path === '' ? '' : '@'}${by.sha}`;
  return { name, about: { kind: 'Commit', projectId: from.id, sha: by.sha } };
}

import { Level, PROJECT_POLICY, type Actor } from '#libs/access';
import { notFound } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import { AccessibleProjects, type Project } from '../../repository/repository.api';
import type { Issue } from './issue.entity';
import { IssuesRepository } from './issues.repository';

export interface FoundIssue {
  readonly issue: Issue;
  readonly project: Project;
  /** The same caller, with their level in the issue's project. */
  readonly actor: Actor;
}

/** Finds issues for those who may read them. */
@Injectable()
export class IssueLookup {
  constructor(
    private readonly issues: IssuesRepository,
    private readonly projects: AccessibleProjects,
  ) {}

  /** The actor has the level of that project. Throws "404 Not found" where there is none, or none for them. */
  async require(actor: Actor, project: Project, iid: number): Promise<Issue> {
    const issue = await this.find(actor, project, iid);
    if (!issue) throw notFound();
    return issue;
  }

  /** Null in both cases. */
  async find(actor: Actor, project: Project, iid: number): Promise<Issue | null> {
    if (!PROJECT_POLICY.read_issues(actor, project)) return null;
    const issue = await this.issues.find(project.id, iid);
    return issue && (await this.isReadable(actor, issue)) ? issue : null;
  }

  /** By the id that no other issue of any project has. */
  async requireById(actor: Actor, id: number): Promise<FoundIssue> {
    const issue = await this.issues.findById(id);
    const found = issue && (await this.projects.find(actor, issue.projectId));
    if (!found || !PROJECT_POLICY.read_issues(found.actor, found.project)) throw notFound();
    if (!(await this.isReadable(found.actor, issue))) throw notFound();
    return { issue, ...found };
  }

  /** Which of the issues of any projects the actor may read, in one query. */
  visibleAmong(actor: Actor, ids: readonly number[]): Promise<ReadonlySet<number>> {
    return this.issues.readableAmong(actor.user, ids);
  }

  /** Of a project whose issues the actor may read. */
  private async isReadable({ user, level }: Actor, issue: Issue): Promise<boolean> {
    if (!issue.confidential) return true;
    if (!user) return false;
    if (user.isAdmin || level >= Level.reporter || issue.authorId === user.id) return true;
    return this.issues.isAssignee(issue.id, user.id);
  }
}

import { Injectable } from '@nestjs/common';
import { UserDirectory, type UserSummary } from '../../identity/identity.api';
import { Awards, Labelling, Milestones, NO_VOTES } from '../../planning/planning.api';
import { ProjectsRepository, type Project } from '../../repository/repository.api';
import { AssigneesRepository } from './assignees.repository';
import type { DescribedMergeRequest } from './described-merge-request';
import { MergeRequestCircumstances } from './merge-request-circumstances.service';
import type { MergeRequest } from './merge-request.entity';

/** Gathers what records tell of merge requests: a constant number of queries, however many there are. */
@Injectable()
export class MergeRequestDescriptions {
  constructor(
    private readonly assignees: AssigneesRepository,
    private readonly users: UserDirectory,
    private readonly labels: Labelling,
    private readonly milestones: Milestones,
    private readonly awards: Awards,
    private readonly circumstances: MergeRequestCircumstances,
  ) {}

  /**
   * In the order given; those of a project that is none of `projects` are left out. Whether the caller may see them, who
   * asks knows.
   */
  async describe(
    mergeRequests: readonly MergeRequest[],
    projects: ReadonlyMap<number, Project>,
  ): Promise<DescribedMergeRequest[]> {
    if (mergeRequests.length === 0) return [];
    const ids = mergeRequests.map(({ id }) => id);
    const assignees = await this.assignees.ofMany(ids);
    const people = await this.users.byIds([
      ...mergeRequests.flatMap(({ authorId, mergedById, closedById }) => [authorId, mergedById, closedById]),
      ...[...assignees.values()].flat(),
    ]);
    const labels = await this.labels.ofMany('MergeRequest', ids);
    const milestones = await this.milestones.byIds(mergeRequests.map(({ milestoneId }) => milestoneId));
    const votes = await this.awards.votesOf('MergeRequest', ids);
    const { blocked, lending } = await this.circumstances.of(mergeRequests);
    return mergeRequests.flatMap((mergeRequest) => {
      const project = projects.get(mergeRequest.projectId);
      if (!project) return [];
      return {
        mergeRequest,
        project,
        author: personAt(people, mergeRequest.authorId),
        assignees: (assignees.get(mergeRequest.id) ?? []).flatMap((id) => people.get(id) ?? []),
        mergedBy: personAt(people, mergeRequest.mergedById),
        closedBy: personAt(people, mergeRequest.closedById),
        labels: labels.get(mergeRequest.id) ?? [],
        milestone: milestones.get(mergeRequest.milestoneId ?? 0) ?? null,
        votes: votes.get(mergeRequest.id) ?? NO_VOTES,
        discussionsAllowMerge: !blocked.has(mergeRequest.id),
        isLending: lending.has(mergeRequest.id),
      };
    });
  }

  async describeOne(mergeRequest: MergeRequest, project: Project): Promise<DescribedMergeRequest> {
    const [described] = await this.describe([mergeRequest], new Map([[project.id, project]]));
    if (!described) throw new Error('a merge request belongs to its project');
    return described;
  }
}

const personAt = (people: ReadonlyMap<number, UserSummary>, id: number | null): UserSummary | null =>
  people.get(id ?? 0) ?? null;

/** The projects of merge requests, by their ids. */
export async function projectsOf(
  projects: ProjectsRepository,
  mergeRequests: readonly MergeRequest[],
): Promise<ReadonlyMap<number, Project>> {
  const found = await projects.findMany([...new Set(mergeRequests.map(({ projectId }) => projectId))]);
  return new Map(found.map((project) => [project.id, project]));
}

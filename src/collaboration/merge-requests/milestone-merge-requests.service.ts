import type { Actor } from '#libs/access';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { OwnMilestones, placeOfGroup, placeOfProject, type Place } from '../../planning/planning.api';
import type { Project } from '../../repository/repository.api';
import type { DescribedMergeRequest } from './described-merge-request';
import { MergeRequestLists } from './merge-request-lists.service';

type Found = Promise<Page<DescribedMergeRequest>>;

/** Which merge requests a milestone is to bring; throws "404 Not found" where there is no such milestone. */
@Injectable()
export class MilestoneMergeRequests {
  constructor(
    private readonly milestones: OwnMilestones,
    private readonly lists: MergeRequestLists,
  ) {}

  ofProject(actor: Actor, project: Project, milestoneId: number, page: PageRequest): Found {
    return this.list(actor, placeOfProject(project), milestoneId, page);
  }

  ofGroup(actor: Actor, group: { readonly id: number }, milestoneId: number, page: PageRequest): Found {
    return this.list(actor, placeOfGroup(group), milestoneId, page);
  }

  private async list(actor: Actor, place: Place, milestoneId: number, page: PageRequest): Found {
    const { id } = await this.milestones.require(place, milestoneId);
    return this.lists.at(actor, { kind: 'milestone', id }, page);
  }
}

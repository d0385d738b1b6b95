import type { ActorUser } from '#libs/access';
import { Injectable } from '@nestjs/common';
import { labelJson, Labelling } from '../../planning/planning.api';
import {
  HookEvent,
  HookRecords,
  type HookCall,
  type HookKindName,
  type Project,
} from '../../repository/repository.api';
import { HookChanges } from './hook-changes.service';
import { mergeRequestChanged, type MergeRequestChanged } from '../merge-requests/merge-request-events';
import { MergeRequestHookRecords } from './merge-request-hook-records';
import type { MergeRequest } from '../merge-requests/merge-request.entity';
import { MergeRequestsRepository } from '../merge-requests/merge-requests.repository';

/** What people do about merge requests. */
@Injectable()
export class MergeRequestHookEvent extends HookEvent<MergeRequestChanged> {
  readonly type = mergeRequestChanged;
  readonly kinds = ['merge_request'] as const;

  constructor(
    private readonly mergeRequests: MergeRequestsRepository,
    private readonly attributes: MergeRequestHookRecords,
    private readonly changes: HookChanges,
    private readonly labelling: Labelling,
    private readonly records: HookRecords,
  ) {
    super();
  }

  /** Nothing is told of one that is gone by now. */
  async calls(event: MergeRequestChanged, project: Project): Promise<readonly HookCall[]> {
    const mergeRequest = await this.mergeRequests.findById(event.mergeRequestId);
    return mergeRequest ? [this.callFor(project, mergeRequest, event)] : [];
  }

  async sample(_kind: HookKindName, project: Project, user: ActorUser): Promise<HookCall | null> {
    const newest = await this.mergeRequests.newest(project.id);
    const event = { action: 'open', actorId: user.id, oldHeadSha: null, changes: {} } as const;
    return newest && this.callFor(project, newest, event);
  }

  private callFor(
    project: Project,
    mergeRequest: MergeRequest,
    event: Omit<MergeRequestChanged, 'projectId' | 'mergeRequestId'>,
  ): HookCall {
    return {
      kind: 'merge_request',
      branch: null,
      body: async () => ({
        object_kind: 'merge_request',
        event_type: 'merge_request',
        user: await this.records.user(event.actorId),
        project: this.records.project(project),
        object_attributes: {
          ...(await this.attributes.attributes(mergeRequest)),
          action: event.action,
          ...(event.oldHeadSha !== null && { oldrev: event.oldHeadSha }),
        },
        labels: (await this.labelling.of({ kind: 'MergeRequest', id: mergeRequest.id })).map(labelJson),
        changes: await this.changes.told(event.changes),
        repository: this.records.repository(project),
        ...(await this.changes.assigneesOf(mergeRequest.id)),
      }),
    };
  }
}

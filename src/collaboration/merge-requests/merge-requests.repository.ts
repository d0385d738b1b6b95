import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { MergeRequest } from './merge-request.entity';

/** No number is larger; PostgreSQL takes no larger one for the column. */
const LARGEST_IID = 2_147_483_647;
const isIid = (iid: number): boolean => iid > 0 && iid <= LARGEST_IID;

/** Others may still refer to it: two texts that name each other's subjects must not wait for each other. */
const WRITE_LOCK = { mode: 'for_no_key_update' } as const;

/** Merge requests by their names. */
@Injectable()
export class MergeRequestsRepository {
  constructor(private readonly database: Database) {}

  find(projectId: number, iid: number): Promise<MergeRequest | null> {
    if (!isIid(iid)) return Promise.resolve(null);
    return this.database.manager.findOneBy(MergeRequest, { projectId, iid });
  }

  findById(id: number): Promise<MergeRequest | null> {
    return this.database.manager.findOneBy(MergeRequest, { id });
  }

  /** The newest of the project. */
  newest(projectId: number): Promise<MergeRequest | null> {
    return this.database.manager.findOne(MergeRequest, { where: { projectId }, order: { iid: 'DESC' } });
  }

  /** Locked until the transaction ends. */
  findForChange(projectId: number, iid: number): Promise<MergeRequest | null> {
    if (!isIid(iid)) return Promise.resolve(null);
    return this.database.manager.findOne(MergeRequest, { where: { projectId, iid }, lock: WRITE_LOCK });
  }

  /**
   * Kept even from being referred to until the transaction ends: who deletes what they only hold for change would wait for
   * whoever has named it and is to change it next, and those for them.
   */
  findForRemoval(projectId: number, iid: number): Promise<MergeRequest | null> {
    if (!isIid(iid)) return Promise.resolve(null);
    const lock = { mode: 'pessimistic_write' } as const;
    return this.database.manager.findOne(MergeRequest, { where: { projectId, iid }, lock });
  }

  /** Locked until the transaction ends. */
  findByIdForChange(id: number): Promise<MergeRequest | null> {
    return this.database.manager.findOne(MergeRequest, { where: { id }, lock: WRITE_LOCK });
  }

  /** The open one between the two branches; there is one at most. */
  findOpenPair(
    pair: Pick<MergeRequest, 'projectId' | 'sourceProjectId' | 'sourceBranch' | 'targetBranch'>,
  ): Promise<MergeRequest | null> {
    const { projectId, sourceProjectId, sourceBranch, targetBranch } = pair;
    if (sourceProjectId === null) return Promise.resolve(null);
    return this.database.manager.findOneBy(MergeRequest, {
      projectId,
      sourceProjectId,
      sourceBranch,
      targetBranch,
      state: 'opened',
    });
  }

  /** Writes all columns of one that is new or was read for change in this transaction. */
  save(mergeRequest: MergeRequest): Promise<MergeRequest> {
    return this.database.manager.save(mergeRequest);
  }

  create(values: Partial<MergeRequest>): MergeRequest {
    return this.database.manager.create(MergeRequest, values);
  }

  async remove(id: number): Promise<void> {
    await this.database.manager.delete(MergeRequest, { id });
  }
}

import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { isWorkInProgress } from './work-in-progress';

export const MERGE_REQUEST_STATES = ['opened', 'closed', 'locked', 'merged'] as const;
export type MergeRequestState = (typeof MERGE_REQUEST_STATES)[number];

export const MERGE_STATUSES = ['unchecked', 'can_be_merged', 'cannot_be_merged'] as const;
export type MergeStatus = (typeof MERGE_STATUSES)[number];

/** How a merge ended. */
export interface MergeOutcome {
  /** Null where nobody of this service merged it: its commits came with a push of the system itself. */
  readonly userId: number | null;
  readonly at: Date;
  /** The merge commit; null where the target was only moved forward. */
  readonly mergeCommitSha: string | null;
  readonly squashCommitSha?: string | null;
}

/** What somebody asks for who wants it merged once its pipeline has succeeded. */
export interface MergeWish {
  readonly userId: number;
  readonly mergeCommitMessage: string | null;
  readonly squashCommitMessage: string | null;
  readonly shouldRemoveSourceBranch: boolean | null;
  readonly squash: boolean;
}

/** The three commits that a version of a change is made of: its tip, where it left the target, the target's tip by then. */
export interface DiffRefs {
  readonly headSha: string;
  readonly baseSha: string;
  readonly startSha: string;
}

/**
 * A proposal to bring one branch into another. Its project is the target's. `updatedAt` is kept by the methods here and
 * not by the ORM, so that what the service finds out by itself (merge status, head pipeline) does not count as a change.
 */
@Entity('merge_requests')
export class MergeRequest {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' }) id!: number;
  @Column('integer') iid!: number;
  @Column('bigint') projectId!: number;
  /** Null once the fork that it came from is gone. */
  @Column('bigint', { nullable: true }) sourceProjectId!: number | null;
  @Column('text') sourceBranch!: string;
  /** The branch is gone; the newest version stays what it was. */
  @Column('boolean') sourceBranchDeleted!: boolean;
  @Column('text') targetBranch!: string;
  @Column('bigint', { nullable: true }) authorId!: number | null;
  @Column('text') title!: string;
  @Column('text', { nullable: true }) description!: string | null;
  @Column('text') state!: MergeRequestState;
  @Column('bigint', { nullable: true }) milestoneId!: number | null;
  @Column('boolean', { nullable: true }) discussionLocked!: boolean | null;
  @Column('boolean') allowCollaboration!: boolean;
  /** Null where the project's own number holds. */
  @Column('integer', { nullable: true }) approvalsBeforeMerge!: number | null;
  @Column('boolean') squash!: boolean;
  /** What the author wants; `shouldRemoveSourceBranch` is what whoever merges it wants. */
  @Column('boolean') forceRemoveSourceBranch!: boolean;
  @Column('boolean', { nullable: true }) shouldRemoveSourceBranch!: boolean | null;
  @Column('boolean') mergeWhenPipelineSucceeds!: boolean;
  /** Who asked for the merge when the pipeline succeeds. */
  @Column('bigint', { nullable: true }) mergeUserId!: number | null;
  @Column('text', { nullable: true }) mergeCommitMessage!: string | null;
  @Column('text', { nullable: true }) squashCommitMessage!: string | null;
  @Column('text', { nullable: true }) mergeError!: string | null;
  /** Of the two checked tips; another tip makes it worthless. */
  @Column('text') mergeStatus!: MergeStatus;
  @Column('text', { nullable: true }) checkedSourceSha!: string | null;
  @Column('text', { nullable: true }) checkedTargetSha!: string | null;
  /** Of the newest version; null where the branches share no history or none could be read. */
  @Column('text', { nullable: true }) headSha!: string | null;
  @Column('text', { nullable: true }) baseSha!: string | null;
  @Column('text', { nullable: true }) startSha!: string | null;
  /** Files that the newest version changes. */
  @Column('integer', { nullable: true }) changesCount!: number | null;
  @Column('text', { nullable: true }) mergeCommitSha!: string | null;
  @Column('text', { nullable: true }) squashCommitSha!: string | null;
  @Column('timestamptz', { nullable: true }) rebaseInProgressSince!: Date | null;
  @Column('bigint', { nullable: true }) headPipelineId!: number | null;
  @Column('integer') timeEstimate!: number;
  @Column('integer') totalTimeSpent!: number;
  @Column('integer') userNotesCount!: number;
  @Column('bigint', { nullable: true }) updatedById!: number | null;
  @Column('timestamptz', { nullable: true }) lastEditedAt!: Date | null;
  @Column('timestamptz', { nullable: true }) mergedAt!: Date | null;
  @Column('bigint', { nullable: true }) mergedById!: number | null;
  @Column('timestamptz', { nullable: true }) closedAt!: Date | null;
  @Column('bigint', { nullable: true }) closedById!: number | null;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt!: Date;
  @Column('timestamptz') updatedAt!: Date;

  get isWorkInProgress(): boolean {
    return isWorkInProgress(this.title);
  }

  get isOpen(): boolean {
    return this.state === 'opened';
  }

  /** From another project, or from one that is gone. */
  get isFromFork(): boolean {
    return this.sourceProjectId !== this.projectId;
  }

  get diffRefs(): DiffRefs | null {
    const { headSha, baseSha, startSha } = this;
    return headSha && baseSha && startSha ? { headSha, baseSha, startSha } : null;
  }

  get shouldRemoveBranchAfterMerge(): boolean {
    return this.shouldRemoveSourceBranch ?? this.forceRemoveSourceBranch;
  }

  /** False where there was nothing to close. A wish to merge it ends too. */
  close(userId: number | null, now: Date): boolean {
    if (this.state !== 'opened') return false;
    this.state = 'closed';
    this.closedById = userId;
    this.closedAt = now;
    this.cancelMergeWish(now);
    return true;
  }

  /** False for what is not closed: what has been merged stays so. */
  reopen(now: Date): boolean {
    if (this.state !== 'closed') return false;
    this.state = 'opened';
    this.closedById = null;
    this.closedAt = null;
    this.mergeError = null;
    this.forgetMergeStatus();
    this.updatedAt = now;
    return true;
  }

  /** Nobody else may change it while it is being merged. False where it is not open. */
  lock(): boolean {
    if (this.state !== 'opened') return false;
    this.state = 'locked';
    return true;
  }

  /** Back to where it was before a merge that did not come about. */
  unlock(): boolean {
    if (this.state !== 'locked') return false;
    this.state = 'opened';
    return true;
  }

  /** False where it has been merged before. A closed one is merged too when its commits arrive in the target. */
  markMerged({ userId, at, mergeCommitSha, squashCommitSha = null }: MergeOutcome): boolean {
    if (this.state === 'merged') return false;
    this.state = 'merged';
    this.mergedById = userId;
    this.mergedAt = at;
    this.mergeCommitSha = mergeCommitSha;
    this.squashCommitSha = squashCommitSha;
    this.mergeError = null;
    this.rebaseInProgressSince = null;
    this.closedAt = null;
    this.closedById = null;
    this.updatedAt = at;
    return true;
  }

  /** Takes the tips of a newer version; what was known about merging them is worth nothing then. */
  takeVersion({ headSha, baseSha, startSha }: DiffRefs, changesCount: number, now: Date): void {
    this.headSha = headSha;
    this.baseSha = baseSha;
    this.startSha = startSha;
    this.changesCount = changesCount;
    this.updatedAt = now;
    this.forgetMergeStatus();
  }

  forgetMergeStatus(): void {
    this.mergeStatus = 'unchecked';
    this.checkedSourceSha = null;
    this.checkedTargetSha = null;
  }

  mergeWhenPipelineSucceedsFor(wish: MergeWish, now: Date): void {
    this.mergeWhenPipelineSucceeds = true;
    this.mergeUserId = wish.userId;
    this.mergeCommitMessage = wish.mergeCommitMessage;
    this.squashCommitMessage = wish.squashCommitMessage;
    this.shouldRemoveSourceBranch = wish.shouldRemoveSourceBranch;
    this.squash = wish.squash;
    this.mergeError = null;
    this.updatedAt = now;
  }

  /** False where nobody waited for the pipeline. */
  cancelMergeWish(now: Date): boolean {
    this.updatedAt = now;
    if (!this.mergeWhenPipelineSucceeds) return false;
    this.mergeWhenPipelineSucceeds = false;
    this.mergeUserId = null;
    this.mergeCommitMessage = null;
    this.squashCommitMessage = null;
    this.shouldRemoveSourceBranch = null;
    return true;
  }

  /** Title or description changed by a person, which records tell apart from other changes. */
  markEdited(userId: number, now: Date): void {
    this.updatedById = userId;
    this.lastEditedAt = now;
    this.updatedAt = now;
  }
}

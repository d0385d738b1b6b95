import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { CommitStatus } from '../commit-statuses/commit-status.entity';
import type { JobDefinition, JobWhen } from '../configuration/job-definition';
import { isFinished, type CiStatus } from '../pipelines/status';
import type { FailureReason } from './failure-reasons';

/** From which statuses each move may be made. */
const MOVES = {
  enqueue: ['created', 'preparing', 'manual', 'scheduled'],
  offer: ['created'],
  schedule: ['created'],
  skip: ['created', 'preparing'],
  reopen: ['skipped'],
  run: ['pending'],
  release: ['running'],
  succeed: ['running'],
  fail: ['created', 'preparing', 'pending', 'running', 'scheduled'],
  cancel: ['created', 'preparing', 'pending', 'running', 'manual', 'scheduled'],
} as const satisfies Record<string, readonly CiStatus[]>;
export type JobMove = keyof typeof MOVES;

const RETRYABLE: readonly CiStatus[] = ['success', 'failed', 'canceled'];
const MILLISECONDS = 1000;

/**
 * Something that a runner runs. One that is retried is done with; a copy of it takes its place. What it has in common
 * with statuses reported from outside, its status foremost, is in its record.
 */
@Entity('jobs')
export class Job {
  /** The record's, too. */
  @PrimaryColumn('bigint') id!: number;
  @Column('bigint') projectId!: number;
  @Column('bigint') pipelineId!: number;
  @Column('jsonb') definition!: JobDefinition;
  @Column('text', { array: true }) tagList!: string[];
  @Column('text') when!: JobWhen;
  /** Names of the jobs it waits for; null for all of the stages before. */
  @Column('text', { array: true, nullable: true }) needs!: string[] | null;
  /** Of a protected ref. */
  @Column('boolean') protected!: boolean;
  /** How often it ran before, under its name in its pipeline. */
  @Column('integer') attempts!: number;
  @Column('integer') timeoutSeconds!: number;
  /** Of a delayed job. */
  @Column('timestamptz', { nullable: true }) startAfter!: Date | null;
  @Column('text', { nullable: true }) failureReason!: FailureReason | null;
  @Column('bigint', { nullable: true }) runnerId!: number | null;
  @Column('bytea', { nullable: true }) jobTokenDigest!: Buffer | null;
  /** Source of a regular expression for the figure in its log. */
  @Column('text', { nullable: true }) coverageRegex!: string | null;
  /** Length of its log; what a file has beyond it counts for nothing. */
  @Column('bigint') traceBytes!: number;
  @Column('timestamptz', { nullable: true }) artifactsExpireAt!: Date | null;
  /** When its runner last said something. */
  @Column('timestamptz', { nullable: true }) lastContactAt!: Date | null;
  @Column('timestamptz', { nullable: true }) erasedAt!: Date | null;
  @Column('bigint', { nullable: true }) erasedById!: number | null;

  /** Brought along by every query for jobs. */
  record!: CommitStatus;

  get status(): CiStatus {
    return this.record.status;
  }

  get isRunning(): boolean {
    return this.status === 'running';
  }

  get isFinished(): boolean {
    return isFinished(this.status);
  }

  get isErased(): boolean {
    return this.erasedAt !== null;
  }

  get isRetryable(): boolean {
    return !this.record.retried && RETRYABLE.includes(this.status);
  }

  /** Somebody may start it by hand. */
  get isPlayable(): boolean {
    const isAction = this.when === 'manual' || this.when === 'delayed';
    return isAction && (this.may('enqueue') || this.isRetryable) && this.status !== 'created';
  }

  /** Seconds that it has run, up to now where it still does; null where it never began. */
  duration(now: Date): number | null {
    const { startedAt, finishedAt } = this.record;
    if (!startedAt) return null;
    return Math.max(0, (finishedAt ?? now).getTime() - startedAt.getTime()) / MILLISECONDS;
  }

  may(move: JobMove): boolean {
    const allowed: readonly CiStatus[] = MOVES[move];
    return allowed.includes(this.status);
  }

  /** Waits for a runner from now on; for whoever has started it by hand, if anybody has. */
  enqueue(now: Date, userId: number | null = null): void {
    this.move('enqueue', 'pending');
    this.record.queuedAt = now;
    this.record.authorId = userId ?? this.record.authorId;
    this.startAfter = null;
  }

  /** Waits for somebody to start it. */
  offer(): void {
    this.move('offer', 'manual');
  }

  schedule(startAfter: Date): void {
    this.move('schedule', 'scheduled');
    this.startAfter = startAfter;
  }

  skip(now: Date): void {
    this.move('skip', 'skipped');
    this.record.finishedAt = now;
  }

  /** What was skipped has another chance. */
  reopen(): void {
    this.move('reopen', 'created');
    this.record.finishedAt = null;
  }

  /** A runner has taken it, who shows the token of this digest. */
  run(runnerId: number, tokenDigest: Buffer, now: Date): void {
    this.move('run', 'running');
    this.record.startedAt = now;
    this.runnerId = runnerId;
    this.jobTokenDigest = tokenDigest;
    this.lastContactAt = now;
  }

  /** Its runner went away before it was told: it waits for another one. The token is to be revoked. */
  release(now: Date): void {
    this.move('release', 'pending');
    this.record.queuedAt = now;
    this.record.startedAt = null;
    this.runnerId = null;
    this.jobTokenDigest = null;
    this.lastContactAt = null;
  }

  succeed(now: Date): void {
    this.move('succeed', 'success');
    this.record.finishedAt = now;
  }

  fail(reason: FailureReason, now: Date): void {
    this.move('fail', 'failed');
    this.failureReason = reason;
    this.record.finishedAt = now;
  }

  cancel(now: Date): void {
    this.move('cancel', 'canceled');
    this.startAfter = null;
    this.record.finishedAt = now;
  }

  /** Its log and artifacts are gone for good. Throws where it has not ended. */
  erase(userId: number, now: Date): void {
    if (!this.isFinished) throw new Error(`a job that is ${this.status} cannot be erased`);
    this.erasedAt = now;
    this.erasedById = userId;
    this.traceBytes = 0;
    this.artifactsExpireAt = null;
  }

  /** Whether its configuration wants another attempt after this failure. */
  wantsRetry(): boolean {
    const { retryMax, retryWhen } = this.definition;
    const { failureReason } = this;
    if (this.status !== 'failed' || failureReason === null || this.attempts >= retryMax) return false;
    return retryWhen.includes('always') || retryWhen.includes(failureReason);
  }

  private move(move: JobMove, to: CiStatus): void {
    if (!this.may(move)) throw new Error(`a job that is ${this.status} cannot ${move}`);
    this.record.status = to;
  }
}

import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';
import { isFinished, rollUp, type CiStatus, type CountedStatus } from './status';

/** What made a pipeline. */
export const PIPELINE_SOURCES = ['push', 'web', 'api', 'external', 'merge_request_event'] as const;
export type PipelineSource = (typeof PIPELINE_SOURCES)[number];

/** What a pipeline's latest statuses add up to. */
export interface PipelineFigures {
  readonly statuses: readonly CountedStatus[];
  /** Mean of those that measured it, in percent; null where none did. */
  readonly coverage: number | null;
  /** Seconds in which at least one of them ran. */
  readonly seconds: number;
}

@Entity('pipelines')
export class Pipeline {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' }) id!: number;
  @Column('bigint') projectId!: number;
  /** Its number within the project; null where it was made before pipelines had one. */
  @Column('integer', { nullable: true }) iid!: number | null;
  @Column('text') ref!: string;
  @Column('text') sha!: string;
  @Column('text') beforeSha!: string;
  @Column('boolean') tag!: boolean;
  /** "external" where statuses reported by others made it. */
  @Column('text') source!: PipelineSource;
  @Column('text') status!: CiStatus;
  @Column('bigint', { nullable: true }) userId!: number | null;
  /** What is wrong with the configuration file; such a pipeline has failed and has no jobs. */
  @Column('text', { nullable: true }) yamlErrors!: string | null;
  /** The ref was protected when the pipeline was made. */
  @Column('boolean') protected!: boolean;
  @Column('bigint', { nullable: true }) mergeRequestId!: number | null;
  /** The event of the move of refs that it was made for. */
  @Column('bigint', { nullable: true }) madeByEvent!: number | null;
  /** In whole seconds; null until it has ended. */
  @Column('integer', { nullable: true }) duration!: number | null;
  @Column('double precision', { nullable: true }) coverage!: number | null;
  @Column('timestamptz', { nullable: true }) committedAt!: Date | null;
  @Column('timestamptz', { nullable: true }) startedAt!: Date | null;
  @Column('timestamptz', { nullable: true }) finishedAt!: Date | null;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt!: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt!: Date;

  /** Takes the status that its latest commit statuses add up to. A broken configuration, and a wish to skip, last. */
  recount({ statuses, coverage, seconds }: PipelineFigures, now: Date): void {
    if (statuses.length === 0) return;
    this.take(rollUp(statuses), now);
    this.coverage = coverage;
    this.duration = this.finishedAt && this.startedAt ? seconds : null;
  }

  /** Specification, States: what is stopped is canceled, whatever else of it has failed before. */
  cancel(now: Date): void {
    this.take('canceled', now);
  }

  /**
   * Specification, States: what is retried is pending, whatever else of it has succeeded before. It goes on when the
   * first job does.
   */
  awaitRetry(): void {
    this.status = 'pending';
    this.finishedAt = null;
    this.duration = null;
  }

  /** What never ran was never started; what ends otherwise than it had ends anew. */
  private take(status: CiStatus, now: Date): void {
    const endedBefore = status === this.status ? this.finishedAt : null;
    this.status = status;
    if (status === 'running') this.startedAt ??= now;
    this.finishedAt = isFinished(status) ? (endedBefore ?? now) : null;
  }
}

import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';
import { isFinished, type CiStatus } from '../pipelines/status';

/** The states that an external system may report. */
export const REPORTED_STATES = ['pending', 'running', 'success', 'failed', 'canceled'] as const;
export type ReportedState = (typeof REPORTED_STATES)[number];

/** What a report may say beside the state; what it leaves out stays as it was. */
export interface StatusReport {
  readonly state: ReportedState;
  readonly targetUrl?: string | undefined;
  readonly description?: string | undefined;
  readonly coverage?: number | undefined;
}

/** The outcome of one check of a commit: reported from outside, or of a job of this service (see JobDefinition). */
@Entity('commit_statuses')
export class CommitStatus {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' }) id!: number;
  @Column('bigint') projectId!: number;
  @Column('bigint') pipelineId!: number;
  @Column('text') sha!: string;
  @Column('text') ref!: string;
  @Column('text') name!: string;
  @Column('text') stage!: string;
  /** The place of its stage among the pipeline's, from 0; what is reported from outside comes after all of them. */
  @Column('integer') stageIndex!: number;
  @Column('text') kind!: 'external' | 'job';
  /** Another of the same name has taken its place. */
  @Column('boolean') retried!: boolean;
  @Column('text') status!: CiStatus;
  @Column('text', { nullable: true }) targetUrl!: string | null;
  @Column('text', { nullable: true }) description!: string | null;
  @Column('double precision', { nullable: true }) coverage!: number | null;
  @Column('boolean') allowFailure!: boolean;
  @Column('bigint', { nullable: true }) authorId!: number | null;
  @Column('timestamptz', { nullable: true }) queuedAt!: Date | null;
  @Column('timestamptz', { nullable: true }) startedAt!: Date | null;
  @Column('timestamptz', { nullable: true }) finishedAt!: Date | null;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt!: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt!: Date;

  /** Any state may follow any other: the specification has a report update the status of its name. */
  report({ state, targetUrl, description, coverage }: StatusReport, now: Date): void {
    this.status = state;
    if (targetUrl !== undefined) this.targetUrl = targetUrl;
    if (description !== undefined) this.description = description;
    if (coverage !== undefined) this.coverage = coverage;
    if (state === 'running') this.startedAt ??= now;
    this.finishedAt = isFinished(state) ? now : null;
  }
}

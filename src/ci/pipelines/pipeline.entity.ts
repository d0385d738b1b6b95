import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';
import { isFinished, rollUp, type CiStatus, type CountedStatus } from './status';

@Entity('pipelines')
export class Pipeline {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' }) id!: number;
  @Column('bigint') projectId!: number;
  @Column('text') ref!: string;
  @Column('text') sha!: string;
  @Column('text') beforeSha!: string;
  @Column('boolean') tag!: boolean;
  /** What made it: "external" for statuses reported by others. */
  @Column('text') source!: string;
  @Column('text') status!: CiStatus;
  @Column('bigint', { nullable: true }) userId!: number | null;
  @Column('timestamptz', { nullable: true }) startedAt!: Date | null;
  @Column('timestamptz', { nullable: true }) finishedAt!: Date | null;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt!: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt!: Date;

  /** Takes the status that its latest commit statuses add up to. */
  recount(statuses: readonly CountedStatus[], now: Date): void {
    this.status = rollUp(statuses);
    if (this.status !== 'pending' && this.status !== 'created') this.startedAt ??= now;
    this.finishedAt = isFinished(this.status) ? (this.finishedAt ?? now) : null;
  }
}

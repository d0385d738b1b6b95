import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A change as it was at one time: between which commits, and how many files it touched. */
@Entity('merge_request_versions')
export class MergeRequestVersion {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' }) id!: number;
  @Column('bigint') mergeRequestId!: number;
  @Column('text') headSha!: string;
  @Column('text') baseSha!: string;
  @Column('text') startSha!: string;
  /** Files that it changes. */
  @Column('integer') realSize!: number;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt!: Date;
}

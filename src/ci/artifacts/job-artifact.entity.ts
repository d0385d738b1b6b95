import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { ArtifactType } from './artifact-types';

/** A file that a job has left behind; one of each kind. */
@Entity('job_artifacts')
export class JobArtifact {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' }) id!: number;
  @Column('bigint') jobId!: number;
  @Column('bigint') projectId!: number;
  @Column('text') fileType!: ArtifactType;
  @Column('text') fileFormat!: 'zip' | 'gzip' | 'raw';
  /** As the runner calls it. No place in any file system. */
  @Column('text') fileName!: string;
  /** In bytes. */
  @Column('bigint') size!: number;
  @Column('text') sha256!: string;
  /** Of JobFiles. */
  @Column('text') place!: string;
  /** Null for one that stays. */
  @Column('timestamptz', { nullable: true }) expireAt!: Date | null;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt!: Date;

  /** It may still wait to be removed, but nobody gets it any more. */
  isExpired(now: Date): boolean {
    return this.expireAt !== null && this.expireAt <= now;
  }
}

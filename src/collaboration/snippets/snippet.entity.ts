import type { Visibility } from '#libs/access';
import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';

/** A piece of text to be shared: in a project, or somebody's own. */
@Entity('snippets')
export class Snippet {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' }) id!: number;
  /** Null for a personal snippet. */
  @Column('bigint', { nullable: true }) projectId!: number | null;
  @Column('bigint', { nullable: true }) authorId!: number | null;
  @Column('text') title!: string;
  @Column('text') fileName!: string;
  @Column('text', { nullable: true }) description!: string | null;
  /** Many megabytes at most: not loaded but where it is asked for. */
  @Column('text', { select: false }) content!: string;
  @Column('text') visibility!: Visibility;
  @Column('integer') userNotesCount!: number;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt!: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt!: Date;
}

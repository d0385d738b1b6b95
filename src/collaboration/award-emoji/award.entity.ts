import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';

/** An emoji that somebody has put on something: on exactly one of these. */
@Entity('award_emoji')
export class Award {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' }) id!: number;
  @Column('bigint') userId!: number;
  /** The emoji's main name, without colons. */
  @Column('text') name!: string;
  @Column('bigint', { nullable: true }) issueId!: number | null;
  @Column('bigint', { nullable: true }) mergeRequestId!: number | null;
  @Column('bigint', { nullable: true }) snippetId!: number | null;
  @Column('bigint', { nullable: true }) epicId!: number | null;
  @Column('bigint', { nullable: true }) noteId!: number | null;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt!: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt!: Date;
}

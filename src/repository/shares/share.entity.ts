import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';

/** A project lets the members of a group in, each at most at the level of the share. */
@Entity('project_shares')
export class Share {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' }) id!: number;
  @Column('bigint') projectId!: number;
  @Column('bigint') groupId!: number;
  @Column('smallint') groupAccess!: number;
  /** First day (YYYY-MM-DD) on which the share no longer counts. */
  @Column('date', { nullable: true }) expiresAt!: string | null;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt!: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt!: Date;
}

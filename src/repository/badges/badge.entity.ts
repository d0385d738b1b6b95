import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';

/** A picture with a link that a project shows: its own, or one that a group gives to all projects inside. */
@Entity('badges')
export class Badge {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' }) id!: number;
  /** Null for a group's badge. */
  @Column('bigint', { nullable: true }) projectId!: number | null;
  /** Null for a project's badge. */
  @Column('bigint', { nullable: true }) groupId!: number | null;
  /** With its placeholders, as all of the URLs here. */
  @Column('text') linkUrl!: string;
  @Column('text') imageUrl!: string;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt!: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt!: Date;

  get kind(): 'project' | 'group' {
    return this.projectId === null ? 'group' : 'project';
  }
}

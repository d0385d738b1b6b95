import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';

/** A word that issues, merge requests and epics are sorted by: of one project, or of a group and all inside it. */
@Entity('labels')
export class Label {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' }) id!: number;
  /** Null for a group's label. */
  @Column('bigint', { nullable: true }) projectId!: number | null;
  /** Null for a project's label. */
  @Column('bigint', { nullable: true }) groupId!: number | null;
  @Column('text') title!: string;
  /** `#rgb` or `#rrggbb`. */
  @Column('text') color!: string;
  @Column('text', { nullable: true }) description!: string | null;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt!: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt!: Date;

  get type(): 'ProjectLabel' | 'GroupLabel' {
    return this.projectId === null ? 'GroupLabel' : 'ProjectLabel';
  }
}

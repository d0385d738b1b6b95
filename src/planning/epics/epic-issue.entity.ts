import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** That an issue belongs to an epic: to one at most. */
@Entity('epic_issues')
export class EpicIssue {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' }) id!: number;
  @Column('bigint') epicId!: number;
  @Column('bigint') issueId!: number;
  /** The issues of an epic are in the order of it. */
  @Column('integer') relativePosition!: number;
}

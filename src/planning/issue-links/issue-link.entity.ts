import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** That two issues have to do with each other, seen from either end. */
@Entity('issue_links')
export class IssueLink {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' }) id!: number;
  /** The issue that the relation was made from. */
  @Column('bigint') sourceId!: number;
  @Column('bigint') targetId!: number;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt!: Date;
}

import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A label was put on something, or taken off. */
@Entity('label_events')
export class LabelEvent {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' }) id!: number;
  /** Null where the account is gone, or the system did it. */
  @Column('bigint', { nullable: true }) userId!: number | null;
  @Column('bigint', { nullable: true }) issueId!: number | null;
  @Column('bigint', { nullable: true }) mergeRequestId!: number | null;
  @Column('bigint', { nullable: true }) epicId!: number | null;
  /** Null once the label is gone. */
  @Column('bigint', { nullable: true }) labelId!: number | null;
  @Column('text') action!: 'add' | 'remove';
  @CreateDateColumn({ type: 'timestamptz' }) createdAt!: Date;
}

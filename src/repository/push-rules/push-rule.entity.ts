import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';

/** What the commits, branches and tags that somebody brings to a project must keep to. */
@Entity('push_rules')
export class PushRule {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' }) id!: number;
  @Column('bigint') projectId!: number;
  @Column('boolean') denyDeleteTag!: boolean;
  @Column('boolean') memberCheck!: boolean;
  @Column('boolean') preventSecrets!: boolean;
  /** Patterns: null and '' alike ask for nothing. */
  @Column('text', { nullable: true }) commitMessageRegex!: string | null;
  @Column('text', { nullable: true }) commitMessageNegativeRegex!: string | null;
  @Column('text', { nullable: true }) branchNameRegex!: string | null;
  @Column('text', { nullable: true }) authorEmailRegex!: string | null;
  @Column('text', { nullable: true }) fileNameRegex!: string | null;
  /** Mebibytes; 0 for any size. */
  @Column('integer') maxFileSize!: number;
  @Column('boolean') commitCommitterCheck!: boolean;
  @Column('boolean') rejectUnsignedCommits!: boolean;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt!: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt!: Date;
}

import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';

/** The rule that the older rows about "approvers" write, as the reference calls it. */
export const DEFAULT_RULE = 'Default';

/** What people say of a rule; what is undefined stays. */
export interface RuleChange {
  readonly name?: string | undefined;
  readonly approvalsRequired?: number | undefined;
}

/** Who is to approve how often: all merge requests of a project, or one of them. */
@Entity('approval_rules')
export class ApprovalRule {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' }) id!: number;
  /** Null for the rule of a merge request. */
  @Column('bigint', { nullable: true }) projectId!: number | null;
  @Column('bigint', { nullable: true }) mergeRequestId!: number | null;
  /** The rule of the project that it stands for in its merge request. */
  @Column('bigint', { nullable: true }) sourceRuleId!: number | null;
  @Column('text') name!: string;
  /** Null for as many as are asked for where nobody is named. */
  @Column('integer', { nullable: true }) approvalsRequired!: number | null;
  /** It was made without names. One that has lost those it named is not: nobody meets it. */
  @Column('boolean') forAnyone!: boolean;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt!: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt!: Date;

  change({ name, approvalsRequired }: RuleChange): void {
    if (name !== undefined) this.name = name;
    if (approvalsRequired !== undefined) this.approvalsRequired = approvalsRequired;
  }

  /** How many approvals meet it; `number` is what is asked for where nobody is named. */
  requires(number: number): number {
    return this.approvalsRequired ?? number;
  }
}

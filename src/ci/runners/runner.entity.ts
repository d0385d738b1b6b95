import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';

export const RUNNER_KINDS = ['instance', 'group', 'project'] as const;
export type RunnerKind = (typeof RUNNER_KINDS)[number];

export const ACCESS_LEVELS = ['not_protected', 'ref_protected'] as const;
export type RunnerAccess = (typeof ACCESS_LEVELS)[number];

/** What a runner tells of itself. */
export interface RunnerFacts {
  readonly name?: string | undefined;
  readonly version?: string | undefined;
  readonly revision?: string | undefined;
  readonly platform?: string | undefined;
  readonly architecture?: string | undefined;
}

const MILLISECONDS = 1000;
/** Who has been heard of within an hour is there. */
const ONLINE_SECONDS = 60 * 60;
/** That a runner is there is noted no more often than this. */
const NOTED_EVERY_SECONDS = 10 * 60;

/** A program on some machine that asks for jobs and runs them. */
@Entity('runners')
export class Runner {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' }) id!: number;
  @Column('text') kind!: RunnerKind;
  @Column('bytea', { select: false }) digest!: Buffer;
  @Column('text') description!: string;
  /** Inactive ones get no jobs. */
  @Column('boolean') active!: boolean;
  /** Cannot be given to further projects. */
  @Column('boolean') locked!: boolean;
  @Column('boolean') runUntagged!: boolean;
  @Column('text') accessLevel!: RunnerAccess;
  /** In seconds; null for as long as the jobs may. */
  @Column('integer', { nullable: true }) maximumTimeout!: number | null;
  @Column('text', { array: true }) tagList!: string[];
  @Column('text', { nullable: true }) name!: string | null;
  @Column('text', { nullable: true }) version!: string | null;
  @Column('text', { nullable: true }) revision!: string | null;
  @Column('text', { nullable: true }) platform!: string | null;
  @Column('text', { nullable: true }) architecture!: string | null;
  @Column('text', { nullable: true }) ipAddress!: string | null;
  @Column('timestamptz', { nullable: true }) contactedAt!: Date | null;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt!: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt!: Date;

  isOnline(now: Date): boolean {
    return this.contactedAt !== null && secondsSince(this.contactedAt, now) < ONLINE_SECONDS;
  }

  /** In the reference's words. */
  status(now: Date): 'paused' | 'not_connected' | 'online' | 'offline' {
    if (!this.active) return 'paused';
    if (this.contactedAt === null) return 'not_connected';
    return this.isOnline(now) ? 'online' : 'offline';
  }

  /** Takes what the runner says of itself. Answers whether anything of it is worth writing down. */
  hear(facts: RunnerFacts, address: string, now: Date): boolean {
    const before = JSON.stringify(this.facts());
    this.name = facts.name ?? this.name;
    this.version = facts.version ?? this.version;
    this.revision = facts.revision ?? this.revision;
    this.platform = facts.platform ?? this.platform;
    this.architecture = facts.architecture ?? this.architecture;
    this.ipAddress = address;
    const isStale = this.contactedAt === null || secondsSince(this.contactedAt, now) >= NOTED_EVERY_SECONDS;
    if (isStale) this.contactedAt = now;
    return isStale || JSON.stringify(this.facts()) !== before;
  }

  private facts() {
    const { name, version, revision, platform, architecture, ipAddress } = this;
    return { name, version, revision, platform, architecture, ipAddress };
  }
}

const secondsSince = (then: Date, now: Date): number => (now.getTime() - then.getTime()) / MILLISECONDS;

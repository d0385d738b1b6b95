import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { HookKindName } from './hook-kinds';

/** One call of a hook: to be made, under way, or made. */
@Entity('hook_deliveries')
export class HookDelivery {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' }) id!: number;
  @Column('bigint') hookId!: number;
  /** What it tells of: a hook is told of each occurrence once. */
  @Column('text') occurrence!: string;
  @Column('text') kind!: HookKindName;
  /** The occurrence that the first hook of the chain was called for: its own where no hook led to it. */
  @Column('text') root!: string;
  /** The hooks that led to it, in their order. */
  @Column('bigint', { array: true }) earlierHookIds!: number[];
  /** JSON. */
  @Column('text') requestBody!: string;
  /** How often it was tried. */
  @Column('integer') attempts!: number;
  /** Where it was sent, as the hook's URL may have changed since. */
  @Column('bytea', { nullable: true }) sealedUrl!: Buffer | null;
  /** Without secrets. */
  @Column('jsonb', { nullable: true }) requestHeaders!: Record<string, string> | null;
  @Column('integer', { nullable: true }) responseStatus!: number | null;
  @Column('jsonb', { nullable: true }) responseHeaders!: Record<string, string> | null;
  @Column('text', { nullable: true }) responseBody!: string | null;
  /** Why there is no answer. */
  @Column('text', { nullable: true }) error!: string | null;
  @Column('integer', { nullable: true }) durationMs!: number | null;
  /** Null as long as it is to be tried (again). */
  @Column('timestamptz', { nullable: true }) finishedAt!: Date | null;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt!: Date;

  /** Without credentials; null before the first attempt. Opened by the repository. */
  url!: string | null;
}

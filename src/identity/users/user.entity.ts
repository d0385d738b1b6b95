import type { ActorUser } from '#libs/access';
import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';
import type { CustomAttribute } from '../custom-attributes/custom-attribute';
import type { Identity } from './identity.entity';

export type UserState = 'active' | 'blocked' | 'ldap_blocked' | 'deactivated';

/** An account: a person, or the ghost that keeps what deleted people wrote. */
@Entity('users')
export class User implements ActorUser {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' }) id!: number;
  @Column('text') username!: string;
  @Column('text') name!: string;
  @Column('text') email!: string;
  @Column('text', { nullable: true }) unconfirmedEmail!: string | null;
  @Column('text') publicEmail!: string;
  @Column('text', { nullable: true, select: false }) passwordDigest!: string | null;
  @Column('timestamptz', { nullable: true }) passwordExpiresAt!: Date | null;
  @Column('text') state!: UserState;
  @Column('text') kind!: 'human' | 'ghost';
  /** Deleted: nobody sees the user any more, and a job does away with what is left. */
  @Column('boolean') pendingDelete!: boolean;
  @Column('boolean') isAdmin!: boolean;
  @Column('boolean') isExternal!: boolean;
  @Column('boolean') canCreateGroup!: boolean;
  @Column('integer') projectsLimit!: number;
  @Column('boolean') privateProfile!: boolean;
  @Column('boolean') twoFactorEnabled!: boolean;
  @Column('text', { nullable: true }) bio!: string | null;
  @Column('text', { nullable: true }) location!: string | null;
  @Column('text', { nullable: true }) organization!: string | null;
  @Column('text') skype!: string;
  @Column('text') linkedin!: string;
  @Column('text') twitter!: string;
  @Column('text') websiteUrl!: string;
  /** Name of the picture's file. */
  @Column('text', { nullable: true }) avatar!: string | null;
  @Column('text', { nullable: true }) note!: string | null;
  @Column('integer', { nullable: true }) sharedRunnersMinutesLimit!: number | null;
  @Column('integer', { nullable: true }) extraSharedRunnersMinutesLimit!: number | null;
  @Column('integer') themeId!: number;
  @Column('integer') colorSchemeId!: number;
  @Column('timestamptz', { nullable: true }) confirmedAt!: Date | null;
  @Column('timestamptz', { nullable: true }) lastSignInAt!: Date | null;
  @Column('timestamptz', { nullable: true }) currentSignInAt!: Date | null;
  @Column('date', { nullable: true }) lastActivityOn!: string | null;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt!: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt!: Date;

  /** Accounts elsewhere; told by whoever loads the user for a view that shows them. */
  identities: readonly Identity[] = [];
  /** The greatest level the user has anywhere; told for the administrators' view of one user. */
  highestRole: number | undefined;
  /** What administrators note; told where they ask for it. */
  customAttributes: readonly CustomAttribute[] | undefined;

  /** Blocked by an administrator or by the directory: may neither sign in nor use a token. */
  get isBlocked(): boolean {
    return this.state === 'blocked' || this.state === 'ldap_blocked';
  }

  /** An administrator has set the password: it serves for nothing but setting another. */
  get mustChangePassword(): boolean {
    return this.passwordExpiresAt !== null && this.passwordExpiresAt <= new Date();
  }

  /** Made by the service for itself: nobody signs in as it, and nobody can take it away. */
  get isInternal(): boolean {
    return this.kind !== 'human';
  }

  /** An active user that nobody has seen since the moment, or ever. */
  isDormantSince(moment: Date): boolean {
    const seen = [this.lastActivityOn === null ? null : new Date(this.lastActivityOn), this.currentSignInAt];
    return this.state === 'active' && seen.every((time) => time === null || time <= moment);
  }

  get canCreateProject(): boolean {
    return this.projectsLimit > 0;
  }
}

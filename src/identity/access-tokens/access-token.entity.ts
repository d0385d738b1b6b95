import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';

export type AccessTokenKind = 'personal' | 'impersonation' | 'oauth' | 'job' | 'session';

/** Something that lets its bearer act as a user. Its secret is kept as a digest alone. */
@Entity('access_tokens')
export class AccessToken {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' }) id!: number;
  @Column('text') kind!: AccessTokenKind;
  @Column('bigint') userId!: number;
  @Column('text') name!: string;
  @Column('bytea', { select: false }) digest!: Buffer;
  @Column('text', { array: true }) scopes!: string[];
  /** Of a session: what its writing requests must show besides the cookie. */
  @Column('bytea', { nullable: true, select: false }) csrfDigest!: Buffer | null;
  @Column('timestamptz', { nullable: true }) expiresAt!: Date | null;
  @Column('timestamptz', { nullable: true }) revokedAt!: Date | null;
  @Column('timestamptz', { nullable: true }) lastUsedAt!: Date | null;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt!: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt!: Date;

  get isRevoked(): boolean {
    return this.revokedAt !== null;
  }

  /** Neither revoked nor expired. */
  get isActive(): boolean {
    return !this.isRevoked && (this.expiresAt === null || this.expiresAt > new Date());
  }

  /** For good; the record stays. Revoking again changes nothing. */
  revoke(): void {
    this.revokedAt ??= new Date();
  }
}

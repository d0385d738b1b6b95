import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';

/** A client of the OAuth 2 provider. Its secret is kept as a digest alone. */
@Entity('oauth_applications')
export class OAuthApplication {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' }) id!: number;
  /** What the client calls itself: `client_id`. */
  @Column('text') uid!: string;
  @Column('bytea', { select: false }) secretDigest!: Buffer;
  @Column('text') name!: string;
  /** Codes are sent to these alone, compared byte by byte. */
  @Column('text', { array: true }) redirectUris!: string[];
  /** It may ask for no others. */
  @Column('text', { array: true }) scopes!: string[];
  /** It can keep a secret: no browser or desktop program can. */
  @Column('boolean') confidential!: boolean;
  /** People are not asked for their consent. */
  @Column('boolean') trusted!: boolean;
  /** Who registered it; null for one of the whole service. */
  @Column('bigint', { nullable: true }) ownerId!: number | null;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt!: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt!: Date;

  /** What another program on the same device could not pass itself off as, so that an earlier consent still holds. */
  provesItselfAt(redirectUri: string): boolean {
    return this.confidential || redirectUri.startsWith('https://');
  }
}

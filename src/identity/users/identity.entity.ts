import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';

/** An account elsewhere (LDAP, SAML, OAuth provider) that is the same person as a user here. */
@Entity('identities')
export class Identity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' }) id!: number;
  @Column('bigint') userId!: number;
  @Column('text') provider!: string;
  @Column('text') externUid!: string;
  /** Of a `group_saml` identity: the group's single sign-on. */
  @Column('bigint', { nullable: true }) samlProviderId!: number | null;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt!: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt!: Date;
}

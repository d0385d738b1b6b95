import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';

/** A group's single sign-on: where its members sign in, and what its identities are told apart by. */
@Entity('saml_providers')
export class SamlProvider {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' }) id!: number;
  @Column('bigint') groupId!: number;
  /** Null until an owner has completed the settings. */
  @Column('text', { nullable: true }) ssoUrl!: string | null;
  /** Hexadecimal pairs between colons, in upper case. */
  @Column('text', { nullable: true }) certificateFingerprint!: string | null;
  @Column('boolean') enabled!: boolean;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt!: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt!: Date;
}

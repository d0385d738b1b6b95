import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';
import type { KeyUserId } from './public-key-block';

/** An OpenPGP key by which a user signs commits. */
@Entity('gpg_keys')
export class GpgKey {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' }) id!: number;
  @Column('bigint') userId!: number;
  /** Armored public key block, subkeys included. */
  @Column('text') key!: string;
  /** Hexadecimal, upper case; of one key in the whole installation. */
  @Column('text') fingerprint!: string;
  /** 16 hexadecimal digits, upper case; of one key in the whole installation. */
  @Column('text') keyId!: string;
  /** For whom the key speaks, by its own signature; whether they are its owner is another question. */
  @Column('jsonb') userIds!: readonly KeyUserId[];
  @CreateDateColumn({ type: 'timestamptz' }) createdAt!: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt!: Date;
}

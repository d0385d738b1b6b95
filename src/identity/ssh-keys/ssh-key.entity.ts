import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';

/** A public key by which a user can be known over SSH. */
@Entity('ssh_keys')
export class SshKey {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' }) id!: number;
  @Column('bigint') userId!: number;
  @Column('text') title!: string;
  /** One line: type, key, comment. */
  @Column('text') key!: string;
  /** SHA-256 of the key without its comment; of one key in the whole installation. */
  @Column('bytea') fingerprint!: Buffer;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt!: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt!: Date;
}

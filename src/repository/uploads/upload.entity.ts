import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A file that somebody has sent to a project, for its texts to refer to. */
@Entity('uploads')
export class Upload {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' }) id!: number;
  @Column('bigint') projectId!: number;
  /** Null once the account is gone. */
  @Column('bigint', { nullable: true }) authorId!: number | null;
  /** 32 hexadecimal digits that nobody guesses; the file's name in the storage, too. */
  @Column('text') secret!: string;
  /** As `uploadName` makes it. No place in any file system. */
  @Column('text') fileName!: string;
  /** By the bytes, whatever the name says. */
  @Column('text') contentType!: string;
  /** In bytes. */
  @Column('bigint') size!: number;
  /** The file lies whole in the storage. */
  @Column('boolean') isStored!: boolean;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt!: Date;
}

import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';

/** The members of a directory's group are members of a group here, at a level. */
@Entity('ldap_group_links')
export class LdapGroupLink {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' }) id!: number;
  @Column('bigint') groupId!: number;
  @Column('text') provider!: string;
  @Column('text') cn!: string;
  @Column('smallint') groupAccess!: number;
  @CreateDateColumn({ type: 'timestamptz' }) createdAt!: Date;
  @UpdateDateColumn({ type: 'timestamptz' }) updatedAt!: Date;
}

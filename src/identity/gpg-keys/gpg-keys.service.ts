import type { ActorUser } from '#libs/access';
import { Database, uniqueViolation } from '#libs/database';
import { invalid, notFound, requireUnmodified, type ValidationErrors } from '#libs/errors';
import { Mailer } from '#libs/mail';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { ACCEPTED, type Accepted } from '../accepted/accepted';
import { Users } from '../users/users.service';
import type { GpgKey } from './gpg-key.entity';
import { GpgKeysRepository } from './gpg-keys.repository';
import { readPublicKeyBlock } from './public-key-block';

const MAX_KEYS = 100;

const TAKEN = ['has already been taken'];
const TAKEN_BY_INDEX: Readonly<Record<string, ValidationErrors>> = {
  gpg_keys_fingerprint: { key: TAKEN, fingerprint: TAKEN, primary_keyid: TAKEN },
  gpg_keys_key_id: { primary_keyid: TAKEN },
};

/**
 * The OpenPGP keys of users. A key that is not the user's own is "404 GPG Key Not Found". Signatures of commits are
 * checked against them whenever somebody asks, so that a change counts at once.
 */
@Injectable()
export class GpgKeys {
  constructor(
    private readonly database: Database,
    private readonly keys: GpgKeysRepository,
    private readonly users: Users,
    private readonly mailer: Mailer,
  ) {}

  list({ id }: { readonly id: number }, page: PageRequest): Promise<Page<GpgKey>> {
    return this.keys.page(id, page);
  }

  /** Of somebody named in a path. Throws "404 User Not Found". */
  async listOf(userId: string, page: PageRequest): Promise<Page<GpgKey>> {
    return this.list(await this.users.get(userId), page);
  }

  async find({ id }: { readonly id: number }, keyId: number): Promise<GpgKey> {
    const key = await this.keys.find(keyId, id);
    if (!key) throw notFound('GPG Key');
    return key;
  }

  /**
   * Throws `validation` for what is not one public key, a key that somebody has, and too many keys.
   * The owner is told by mail.
   */
  async add(owner: ActorUser, text: string): Promise<GpgKey> {
    const block = await readPublicKeyBlock(text);
    if ('errors' in block) throw invalid(block.errors);
    try {
      return await this.database.transaction(async () => {
        if ((await this.keys.count(owner.id)) >= MAX_KEYS) {
          throw invalid({ base: [`Maximum number of GPG keys (${MAX_KEYS}) exceeded`] });
        }
        const key = await this.keys.insert(owner.id, block);
        await this.mailer.send(noticeOf(owner, key));
        return key;
      });
    } catch (error) {
      const errors = TAKEN_BY_INDEX[uniqueViolation(error) ?? ''];
      throw errors ? invalid(errors) : error;
    }
  }

  async addFor(userId: string, text: string): Promise<GpgKey> {
    return this.add(await this.users.get(userId), text);
  }

  /** Signatures made by the key are those of an unknown one from now on. */
  async remove(owner: { readonly id: number }, keyId: number, unmodifiedSince: Date | null): Promise<void> {
    const key = await this.find(owner, keyId);
    requireUnmodified(key.updatedAt, unmodifiedSince);
    await this.keys.remove(key);
  }

  async removeFor(userId: string, keyId: number, unmodifiedSince: Date | null): Promise<void> {
    await this.remove(await this.users.get(userId), keyId, unmodifiedSince);
  }

  /** The reference tells removal from revocation: after a removal it goes on trusting what the key had signed. */
  async revoke(owner: { readonly id: number }, keyId: number): Promise<Accepted> {
    await this.remove(owner, keyId, null);
    return ACCEPTED;
  }

  async revokeFor(userId: string, keyId: number): Promise<Accepted> {
    return this.revoke(await this.users.get(userId), keyId);
  }
}

const noticeOf = ({ name, email }: ActorUser, { fingerprint }: GpgKey) => ({
  to: email,
  subject: 'GPG key was added to your account',
  text: [
    `Hi ${name}!`,
    'A new GPG key was added to your account:',
    `Fingerprint: ${fingerprint}`,
    'If neither you nor an administrator added it, remove the key and change your password.',
    '',
  ].join('\n\n'),
});

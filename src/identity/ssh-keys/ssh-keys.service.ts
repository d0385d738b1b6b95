import type { Actor, ActorUser } from '#libs/access';
import { Database, uniqueViolation } from '#libs/database';
import { invalid, notFound, requireUnmodified, type ValidationErrors } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import { Mailer } from '#libs/mail';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { Users } from '../users/users.service';
import { fingerprintText, readPublicKey } from './public-key';
import type { SshKey } from './ssh-key.entity';
import type { CreateKey } from './ssh-key.params';
import type { OwnedSshKey } from './owned-ssh-key';
import { SshKeysRepository } from './ssh-keys.repository';

const MAX_TITLE_LENGTH = 255;
/** Far more than people and their machines have. */
const MAX_KEYS = 200;

const TAKEN: ValidationErrors = {
  fingerprint: ['has already been taken'],
  key: ['has already been taken'],
};

/** The SSH keys of users. A key that is not the user's own is "404 Key Not Found". */
@Injectable()
export class SshKeys {
  constructor(
    private readonly database: Database,
    private readonly keys: SshKeysRepository,
    private readonly users: Users,
    private readonly mailer: Mailer,
  ) {}

  list({ id }: { readonly id: number }, page: PageRequest): Promise<Page<SshKey>> {
    return this.keys.page(id, page);
  }

  /** Of somebody named in a path. Throws "404 User Not Found". */
  async listOf(userId: string, page: PageRequest): Promise<Page<SshKey>> {
    return this.list(await this.users.get(userId), page);
  }

  async find({ id }: { readonly id: number }, keyId: number): Promise<SshKey> {
    const key = await this.keys.find(keyId, id);
    if (!key) throw notFound('Key');
    return key;
  }

  /** Anybody's key, with its owner as administrators see them. */
  async findWithOwner(actor: Actor, keyId: number): Promise<OwnedSshKey> {
    const key = await this.keys.find(keyId, null);
    if (!key) throw notFound('Key');
    return {
      key,
      owner: await this.users.show(actor, { id: String(key.userId), with_custom_attributes: false }),
    };
  }

  /**
   * Throws `validation` for a bad title, a key that is malformed, weak or somebody's already, and too many keys.
   * The owner is told by mail.
   */
  async add(owner: ActorUser, params: ParamsOf<typeof CreateKey>): Promise<SshKey> {
    const columns = { userId: owner.id, ...validated(params) };
    try {
      return await this.database.transaction(async () => {
        if ((await this.keys.count(owner.id)) >= MAX_KEYS) {
          throw invalid({ base: [`Maximum number of SSH keys (${MAX_KEYS}) exceeded`] });
        }
        const key = await this.keys.insert(columns);
        await this.mailer.send(noticeOf(owner, key));
        return key;
      });
    } catch (error) {
      throw uniqueViolation(error) === 'ssh_keys_fingerprint' ? invalid(TAKEN) : error;
    }
  }

  async addFor(userId: string, params: ParamsOf<typeof CreateKey>): Promise<SshKey> {
    return this.add(await this.users.get(userId), params);
  }

  async remove(owner: { readonly id: number }, keyId: number, unmodifiedSince: Date | null): Promise<void> {
    const key = await this.find(owner, keyId);
    requireUnmodified(key.updatedAt, unmodifiedSince);
    await this.keys.remove(key);
  }

  async removeFor(userId: string, keyId: number, unmodifiedSince: Date | null): Promise<void> {
    await this.remove(await this.users.get(userId), keyId, unmodifiedSince);
  }
}

function validated(params: ParamsOf<typeof CreateKey>): Pick<SshKey, 'title' | 'key' | 'fingerprint'> {
  const { title } = params;
  const titleProblem =
    title.trim() === ''
      ? "can't be blank"
      : title.length > MAX_TITLE_LENGTH
        ? `is too long (maximum is ${MAX_TITLE_LENGTH} characters)`
        : null;
  const key = readPublicKey(params.key);
  if ('errors' in key) {
    throw invalid({ ...(titleProblem !== null && { title: [titleProblem] }), ...key.errors });
  }
  if (titleProblem !== null) throw invalid({ title: [titleProblem] });
  return { title, key: key.text, fingerprint: key.fingerprint };
}

const noticeOf = ({ name, email }: ActorUser, { title, fingerprint }: SshKey) => ({
  to: email,
  subject: 'SSH key was added to your account',
  text: [
    `Hi ${name}!`,
    'A new public key was added to your account:',
    `Title: ${title}\nFingerprint: ${fingerprintText(fingerprint)}`,
    'If neither you nor an administrator added it, remove the key and change your password.',
    '',
  ].join('\n\n'),
});

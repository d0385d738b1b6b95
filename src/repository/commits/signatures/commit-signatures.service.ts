import { DomainError } from '#libs/errors';
import type { Commit, GitReader } from '#libs/git';
import type { ParamsOf } from '#libs/http';
import { Injectable } from '@nestjs/common';
import { SigningKeys } from '../../../identity/identity.api';
import type { Project } from '../../projects/project.entity';
import { Repositories } from '../../storages/repositories';
import { requireCommit } from '../commit-lookup';
import type { CommitPath } from '../commit.params';
import type { CommitSignature } from './commit-signature';
import { issuerOf, unknownKey, verifySignature } from './signature-verification';

/** OpenPGP signatures of commits, checked against the keys that users have registered. */
@Injectable()
export class CommitSignatures {
  constructor(
    private readonly repositories: Repositories,
    private readonly keys: SigningKeys,
  ) {}

  /** Throws "404 GPG Signature Not Found" for an unsigned commit (specification, Errors 6). */
  async find(project: Project, { sha }: ParamsOf<typeof CommitPath>): Promise<CommitSignature> {
    const repository = this.repositories.open(project);
    const commit = await requireCommit(repository, sha);
    const found = await this.of(repository, commit);
    if (!found) throw new DomainError({ kind: 'not_found', message: '404 GPG Signature Not Found' });
    return found;
  }

  /** Null where the commit has no signature that OpenPGP can read. */
  async of(repository: Pick<GitReader, 'signature'>, commit: Commit): Promise<CommitSignature | null> {
    const signed = commit.hasSignature ? await repository.signature(commit.sha) : null;
    const issuer = signed && (await issuerOf(signed));
    if (!signed || issuer === null) return null;
    const candidates = await this.keys.withKeyId(issuer);
    const answers: CommitSignature[] = [];
    for (const key of candidates) {
      answers.push(await verifySignature(signed, issuer, key, commit.committer.email));
    }
    // Several keys can have one id: the one that made the signature is the one that it fits.
    return answers.find(({ status }) => status !== 'unverified') ?? answers[0] ?? unknownKey(issuer);
  }
}

import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { digestOf, newSecret } from './secrets';

/** What a running CI job shows to act for the user who started it. */
export interface JobCredential {
  readonly secret: string;
  readonly digest: Buffer;
}

/** Tokens of CI jobs. They are good for what an endpoint or git allows job tokens, and only as long as the job runs. */
@Injectable()
export class JobCredentials {
  constructor(private readonly database: Database) {}

  /** `userId` null, or of somebody who is gone: the secret lets nobody act for anybody. */
  async issue(jobId: number, userId: number | null, expiresAt: Date): Promise<JobCredential> {
    const secret = newSecret();
    const digest = digestOf(secret);
    await this.database.prepared(
      'issue_job_token',
      `INSERT INTO access_tokens (kind, user_id, job_id, name, digest, scopes, expires_at)
       SELECT 'job', id, $2, $3, $4, '{api}', $5 FROM users WHERE id = $1`,
      [userId, jobId, `job ${jobId}`, digest, expiresAt],
    );
    return { secret, digest };
  }

  async revoke(digests: readonly Buffer[]): Promise<void> {
    if (digests.length === 0) return;
    await this.database.prepared(
      'revoke_job_tokens',
      `DELETE FROM access_tokens WHERE digest = ANY($1::bytea[]) AND kind = 'job'`,
      [digests],
    );
  }
}

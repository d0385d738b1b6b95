import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { digestOf } from '../access-tokens/secrets';
import type { OAuthApplication } from './oauth-application.entity';
import { OAuthApplicationsRepository } from './oauth-applications.repository';

/** Who says to be which application. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string | undefined;
}

/** Tells applications apart and checks their secrets. */
@Injectable()
export class OAuthClients {
  constructor(private readonly applications: OAuthApplicationsRepository) {}

  find(uid: string): Promise<OAuthApplication | null> {
    return this.applications.findByUid(uid);
  }

  /** Null for an unknown one and a wrong secret. One that cannot keep a secret need not show one. */
  async authenticated({ clientId, clientSecret }: ClientCredentials): Promise<OAuthApplication | null> {
    const application = await this.find(clientId);
    if (!application) return null;
    const isEnough =
      clientSecret === undefined
        ? !application.confidential
        : timingSafeEqual(digestOf(clientSecret), application.secretDigest);
    return isEnough ? application : null;
  }
}

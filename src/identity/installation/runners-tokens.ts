import { createHmac } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InstallationRepository } from './installation.repository';

/** Enough of the digest that nobody guesses it: 192 bits. */
const BYTES = 24;

/** The secrets that CI runners register with. Derived from the installation's secret, so that none is stored. */
@Injectable()
export class RunnersTokens implements OnModuleInit {
  private secret: string | undefined;

  constructor(private readonly installation: InstallationRepository) {}

  async onModuleInit(): Promise<void> {
    this.secret = await this.installation.secret();
  }

  /** Always the same for the same group or project: 32 URL-safe characters. */
  for(kind: 'group' | 'project', id: number): string {
    if (this.secret === undefined) throw new Error('the application has not started yet');
    return createHmac('sha256', this.secret)
      .update(`${kind}:${id}`)
      .digest()
      .subarray(0, BYTES)
      .toString('base64url');
  }
}

import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';

/** What is true of the whole installation, on all its nodes. */
@Injectable()
export class InstallationRepository {
  constructor(private readonly database: Database) {}

  /** A random text made once by the first migration, to derive other secrets from; never leaves the server. */
  async secret(): Promise<string> {
    const text = 'SELECT secret FROM installation';
    const [row] = await this.database.prepared<{ secret: string }>('installation_secret', text);
    if (!row) throw new Error('the first migration makes the installation row');
    return row.secret;
  }
}

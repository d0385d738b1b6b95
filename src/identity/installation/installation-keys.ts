import { hkdfSync } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InstallationRepository } from './installation.repository';

const BYTES = 32;

/** Keys that all nodes have in common, made of the installation's secret, so that none has to be handed around. */
@Injectable()
export class InstallationKeys implements OnModuleInit {
  private secret: string | undefined;
  /** As many as there are purposes, which are written in the code. */
  private readonly keys = new Map<string, Buffer>();

  constructor(private readonly installation: InstallationRepository) {}

  async onModuleInit(): Promise<void> {
    this.secret = await this.installation.secret();
  }

  /** A key of 256 bits for one purpose alone. Throws before the application has started. */
  keyFor(purpose: string): Buffer {
    const known = this.keys.get(purpose);
    if (known) return known;
    if (this.secret === undefined) throw new Error('the application has not started yet');
    const key = Buffer.from(hkdfSync('sha256', this.secret, '', purpose, BYTES));
    this.keys.set(purpose, key);
    return key;
  }
}

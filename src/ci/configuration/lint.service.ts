import { signedIn, type Actor } from '#libs/access';
import { Injectable } from '@nestjs/common';
import { ConfigurationReading } from './configuration-reading.service';
import type { LintResult } from './lint-result';

/** Looks a configuration over that belongs to no project. */
@Injectable()
export class ConfigurationLint {
  constructor(private readonly reading: ConfigurationReading) {}

  async check(actor: Actor, text: string): Promise<LintResult> {
    const owner = String(signedIn(actor).id);
    // Without a project there is nothing that could be asked for.
    const answer = await this.reading.read({ text, target: null }, owner, () => Promise.resolve(null));
    return { errors: 'problem' in answer ? [answer.problem] : [] };
  }
}

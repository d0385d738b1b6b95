import { Injectable } from '@nestjs/common';
import { readConfiguration } from './configuration';
import { ConfigurationError } from './configuration-error';
import type { LintResult } from './lint-result';

/** Looks a configuration over that belongs to no project. */
@Injectable()
export class ConfigurationLint {
  async check(content: string): Promise<LintResult> {
    try {
      await readConfiguration(content, null);
      return { errors: [] };
    } catch (error) {
      if (error instanceof ConfigurationError) return { errors: [error.message] };
      throw error;
    }
  }
}

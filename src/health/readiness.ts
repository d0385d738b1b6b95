import { access, constants } from 'node:fs/promises';
import { DatabaseHealth } from '#libs/database';
import { Inject, Injectable } from '@nestjs/common';
import type { Settings } from '../settings/settings';
import { SETTINGS } from '../settings/settings.module';
import { Serving } from './serving';
import { TimedCheck } from './timed-check';

const LIMIT_MS = 2000;

/** What a load balancer is told: names and verdicts, never causes or paths. */
export interface Verdict {
  readonly status: 'ok' | 'failed';
  readonly checks: Readonly<Record<string, 'ok' | 'failed'>>;
}

/** Whether this node can do its work: not stopping, database answers, every repository storage is writable. */
@Injectable()
export class Readiness {
  private readonly checks: readonly TimedCheck[];

  constructor(
    private readonly serving: Serving,
    database: DatabaseHealth,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.checks = [
      new TimedCheck('database', LIMIT_MS, () => database.ping(LIMIT_MS)),
      ...[...settings.repositoryStorages].map(
        ([name, directory]) =>
          new TimedCheck(`storage_${name}`, LIMIT_MS, () =>
            access(directory, constants.R_OK | constants.W_OK),
          ),
      ),
    ];
  }

  async verdict(): Promise<Verdict> {
    if (this.serving.isStopping) return { status: 'failed', checks: { serving: 'failed' } };
    const passed = await Promise.all(this.checks.map((check) => check.passes()));
    const verdicts = this.checks.map(({ name }, index) => [name, passed[index] ? 'ok' : 'failed'] as const);
    return { status: passed.every(Boolean) ? 'ok' : 'failed', checks: Object.fromEntries(verdicts) };
  }
}

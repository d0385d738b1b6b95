import { timingSafeEqual } from 'node:crypto';
import { Database } from '#libs/database';
import { forbidden } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import { Inject, Injectable } from '@nestjs/common';
import { digestOf, newSecret, RunnersTokens } from '../../identity/identity.api';
import type { Settings } from '../../settings/settings';
import { SETTINGS } from '../../settings/settings.module';
import { attributesWith, DEFAULT_ATTRIBUTES } from './runner-attributes';
import type { RegisteredRunner } from './runner-details';
import type { RegisterRunner } from './runner.params';
import type { Runner, RunnerFacts, RunnerKind } from './runner.entity';
import { RunnersRepository } from './runners.repository';

interface Holder {
  readonly kind: RunnerKind;
  /** 0 for the whole installation. */
  readonly id: number;
}

/** Runners that introduce themselves, and take their leave. */
@Injectable()
export class RunnerRegistration {
  constructor(
    private readonly database: Database,
    private readonly runners: RunnersRepository,
    private readonly tokens: RunnersTokens,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'runnersToken'>,
  ) {}

  /** Throws 403 for a token that lets nobody in, `validation` for attributes that make no sense. */
  async register(params: ParamsOf<typeof RegisterRunner>, address: string): Promise<RegisteredRunner> {
    const holder = await this.holderOf(params.token);
    const { name, version, revision, platform, architecture } = params.info ?? {};
    const token = newSecret();
    const runner = await this.database.transaction(async () => {
      const made = await this.runners.insert({
        ...attributesWith(DEFAULT_ATTRIBUTES, params),
        kind: holder.kind,
        digest: digestOf(token),
        name: name ?? null,
        version: version ?? null,
        revision: revision ?? null,
        platform: platform ?? null,
        architecture: architecture ?? null,
        ipAddress: address,
        contactedAt: null,
      });
      if (holder.kind === 'project') await this.runners.serveProject(made.id, holder.id);
      if (holder.kind === 'group') await this.runners.serveGroup(made.id, holder.id);
      return made;
    });
    return { runner, token };
  }

  /** The runner whose token it is. Throws 403 where there is none. */
  async authenticate(token: string): Promise<Runner> {
    const runner = await this.runners.byDigest(digestOf(token));
    if (!runner) throw forbidden();
    return runner;
  }

  /** The runner of a token, of which is kept what it says of itself and that it is there. Throws as `authenticate`. */
  async hear(token: string, facts: RunnerFacts, address: string): Promise<Runner> {
    const runner = await this.authenticate(token);
    if (runner.hear(facts, address, new Date())) await this.runners.noteFacts(runner);
    return runner;
  }

  /** What it was running is failed by the background check. Throws as `authenticate`. */
  async unregister(token: string): Promise<void> {
    const { id } = await this.authenticate(token);
    await this.runners.remove(id);
  }

  private async holderOf(token: string): Promise<Holder> {
    if (this.isOfInstance(token)) return { kind: 'instance', id: 0 };
    const holder = this.tokens.holderOf(token);
    if (!holder || !(await this.runners.exists(holder.kind, holder.id))) throw forbidden();
    return holder;
  }

  private isOfInstance(token: string): boolean {
    const { runnersToken } = this.settings;
    return runnersToken !== null && timingSafeEqual(digestOf(token), digestOf(runnersToken));
  }
}

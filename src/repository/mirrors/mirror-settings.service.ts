import type { ActorUser } from '#libs/access';
import { invalid, type ValidationErrors } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import { OutboundHttp } from '#libs/outbound';
import { License } from '#libs/tiers';
import { Injectable } from '@nestjs/common';
import { SealedTexts } from '../../identity/identity.api';
import type { ProjectAttributes } from '../projects/project-attributes';
import type { Project } from '../projects/project.entity';
import type { ProjectSettings } from '../projects/project.params';
import { MirrorPulls } from './mirror-pulls.service';
import { refusalSentence } from './remote-url';
import { RemotesRepository } from './remotes.repository';

type Settings = ParamsOf<typeof ProjectSettings>;

/** What the seal of import URLs is for. */
export const IMPORT_URL = 'import url';

/** What becomes of a project's remote with a change of its settings. */
export interface RemoteChange {
  readonly attributes: ProjectAttributes;
  /** Undefined: stays as it is. Null: is forgotten. */
  readonly url: string | null | undefined;
  /** There is something to fetch now. */
  readonly begins: boolean;
  readonly isImported: boolean;
  /** No further update is to come by itself. */
  readonly ends: boolean;
}

/** Where a project is imported or mirrored from, as its settings say. */
@Injectable()
export class MirrorSettings {
  constructor(
    private readonly remotes: RemotesRepository,
    private readonly pulls: MirrorPulls,
    private readonly outbound: OutboundHttp,
    private readonly sealed: SealedTexts,
    private readonly license: License,
  ) {}

  /**
   * What the settings of a project that is about to be made mean for its remote. Mirroring is left out where the
   * licence lacks it, as the reference does. Throws the validation errors.
   */
  ofNew(creator: ActorUser, settings: Settings): RemoteChange {
    const url = urlIn(settings) ?? undefined;
    const mirror = this.mayMirror && settings.mirror === true;
    this.requireValid({ url, lacksUrl: mirror && url === undefined, user: creator, kept: null }, settings);
    const attributes = {
      ...(this.mayMirror && optionsOf(settings)),
      ...(mirror && { mirror, mirrorUserId: creator.id }),
    };
    return { attributes, url, begins: url !== undefined, isImported: false, ends: false };
  }

  /** The same for a change of a project that there is. Who gives the URL answers for what comes from it. */
  async ofChange(user: ActorUser, project: Project, settings: Settings): Promise<RemoteChange> {
    if (!this.mayMirror) return NO_CHANGE;
    const url = urlIn(settings);
    const mirror = settings.mirror ?? project.mirror;
    const isTurnedOn = mirror && !project.mirror;
    const isNewSource = typeof url === 'string' || isTurnedOn;
    const lacksUrl =
      mirror && (url === null || (url === undefined && isTurnedOn && !(await this.hasUrl(project))));
    this.requireValid({ url, lacksUrl, user, kept: isNewSource ? null : project.mirrorUserId }, settings);
    const userId = isNewSource ? user.id : settings.mirror_user_id;
    const attributes = {
      ...optionsOf(settings),
      ...(settings.mirror !== undefined && { mirror }),
      ...(mirror && userId !== undefined && { mirrorUserId: userId }),
    };
    return {
      attributes,
      url,
      begins: mirror && isNewSource,
      isImported: true,
      ends: !mirror && project.mirror,
    };
  }

  /**
   * In the transaction that writes the project's attributes, before anything of the project is locked. Throws
   * `validation` for a fork that has not got what it is a fork of: two would fill it at once.
   */
  async hold(projectId: number, { url, begins, ends }: RemoteChange): Promise<void> {
    if (url === undefined && !begins && !ends) return;
    await this.remotes.lock(projectId);
    if (begins && (await this.remotes.isFilledOtherwise(projectId)))
      throw invalid({ mirror: ['cannot be turned on while the project is being forked'] });
  }

  /** Writes what was prepared, in the transaction that writes the project's attributes. */
  async keep(projectId: number, change: RemoteChange): Promise<void> {
    const isImported = await this.keepUrl(projectId, change);
    if (change.begins || !isImported) await this.pulls.schedule(projectId, { forgetFailures: true });
    else if (change.ends) await this.remotes.postpone(projectId, null);
  }

  private async keepUrl(projectId: number, { url, isImported }: RemoteChange): Promise<boolean> {
    if (typeof url === 'string')
      return this.remotes.keep(projectId, this.sealed.seal(IMPORT_URL, url), { isImported });
    if (url === null) await this.remotes.forget(projectId);
    return true;
  }

  private get mayMirror(): boolean {
    return this.license.has('pull_mirrors');
  }

  private hasUrl({ id }: Project): Promise<boolean> {
    return this.remotes.has(id);
  }

  private requireValid(
    {
      url,
      lacksUrl,
      user,
      kept,
    }: {
      url: string | null | undefined;
      lacksUrl: boolean;
      user: ActorUser;
      kept: number | null;
    },
    { mirror_user_id: userId }: Settings,
  ): void {
    const refusal = typeof url === 'string' ? this.outbound.checkUrl(url) : null;
    const isStranger = this.mayMirror && userId !== undefined && userId !== user.id && userId !== kept;
    const errors: ValidationErrors = {
      ...(refusal !== null && { import_url: [refusalSentence(refusal)] }),
      ...(lacksUrl && { import_url: ["can't be blank"] }),
      ...(isStranger && { mirror_user_id: ['is invalid'] }),
    };
    if (Object.keys(errors).length > 0) throw invalid(errors);
  }
}

const NO_CHANGE: RemoteChange = {
  attributes: {},
  url: undefined,
  begins: false,
  isImported: true,
  ends: false,
};

/** An empty text takes the URL away, as null does. */
const urlIn = ({ import_url: url }: Settings): string | null | undefined =>
  url === undefined || url === null ? url : url.trim() || null;

const optionsOf = (settings: Settings): ProjectAttributes => ({
  ...(settings.mirror_trigger_builds !== undefined && {
    mirrorTriggerBuilds: settings.mirror_trigger_builds,
  }),
  ...(settings.only_mirror_protected_branches !== undefined && {
    onlyMirrorProtectedBranches: settings.only_mirror_protected_branches,
  }),
  ...(settings.mirror_overwrites_diverged_branches !== undefined && {
    mirrorOverwritesDivergedBranches: settings.mirror_overwrites_diverged_branches,
  }),
});

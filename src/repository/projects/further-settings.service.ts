import type { ActorUser } from '#libs/access';
import type { ParamsOf } from '#libs/http';
import { Injectable } from '@nestjs/common';
import { Avatars, type CheckedPicture } from '../../identity/identity.api';
import { MirrorSettings, type RemoteChange } from '../mirrors/mirror-settings.service';
import type { ProjectAttributes } from './project-attributes';
import type { Project } from './project.entity';
import type { ProjectSettings } from './project.params';

type Settings = ParamsOf<typeof ProjectSettings>;

/** What is to be written besides what the parameters say of the project's own columns. */
export interface FurtherChange {
  /** Columns that follow from it. */
  readonly attributes: ProjectAttributes;
  readonly picture: CheckedPicture | null;
  readonly remote: RemoteChange;
}

/** What a project's settings bring beside its own columns: a picture, and where it is mirrored from. */
@Injectable()
export class FurtherSettings {
  constructor(
    private readonly avatars: Avatars,
    private readonly mirrors: MirrorSettings,
  ) {}

  /** Of a project that is about to be made. Throws the validation errors. */
  async ofNew(creator: ActorUser, params: Settings): Promise<FurtherChange> {
    const remote = this.mirrors.ofNew(creator, params);
    return { attributes: remote.attributes, picture: await this.pictureIn(params), remote };
  }

  /** Of a project that there is. Throws the validation errors. */
  async ofChange(user: ActorUser, project: Project, params: Settings): Promise<FurtherChange> {
    const remote = await this.mirrors.ofChange(user, project, params);
    return { attributes: remote.attributes, picture: await this.pictureIn(params), remote };
  }

  /** In the transaction that writes the columns of a project that there is, before it locks any. Throws `validation`. */
  async hold(projectId: number, { remote }: FurtherChange): Promise<void> {
    await this.mirrors.hold(projectId, remote);
  }

  /** In the transaction that writes the project's columns, after them. */
  async keep(projectId: number, { picture, remote }: FurtherChange): Promise<void> {
    if (picture) await this.avatars.keep({ kind: 'project', id: projectId }, picture);
    await this.mirrors.keep(projectId, remote);
  }

  private pictureIn({ avatar }: Settings): Promise<CheckedPicture | null> {
    return avatar ? this.avatars.check(avatar) : Promise.resolve(null);
  }
}

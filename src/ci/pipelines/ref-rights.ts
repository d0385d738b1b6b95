import type { Actor } from '#libs/access';
import { Injectable } from '@nestjs/common';
import { PushRights, type Project } from '../../repository/repository.api';
import type { Pipeline } from './pipeline.entity';

/** What a pipeline runs for. */
export type PipelineRef = Pick<Pipeline, 'ref' | 'tag'>;

/** Who may have pipelines run for which ref. */
@Injectable()
export class RefRights {
  constructor(private readonly rights: PushRights) {}

  /** Jobs of a protected branch get at what others do not, so only who may push or merge there starts them. */
  async mayRun(actor: Actor, project: Project, { ref, tag }: PipelineRef): Promise<boolean> {
    const rights = await this.rights.branches(actor, project);
    return tag ? this.rights.mayPushSomewhere(actor, project) : rights.mayMerge(ref);
  }

  async isProtected(actor: Actor, project: Project, { ref, tag }: PipelineRef): Promise<boolean> {
    if (tag) return false;
    return (await this.rights.branches(actor, project)).isProtected(ref);
  }
}

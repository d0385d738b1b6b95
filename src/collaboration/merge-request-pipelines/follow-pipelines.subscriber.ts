import { EventSubscriber, on } from '#libs/events';
import { Injectable } from '@nestjs/common';
import { pipelineChanged } from '../../ci/ci.api';
import { HeadPipelineLinks } from './head-pipeline-links.repository';

/** Has merge requests know the newest pipeline of their heads. */
@Injectable()
export class FollowPipelines extends EventSubscriber {
  readonly name = 'merge_request_pipelines';
  readonly reactions = [on(pipelineChanged, ({ payload }) => this.links.take(payload.pipelineId))];

  constructor(private readonly links: HeadPipelineLinks) {
    super();
  }
}

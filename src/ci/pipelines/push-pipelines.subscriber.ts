import { EventSubscriber, on, type DomainEvent, type NewEvent } from '#libs/events';
import { Injectable, Logger } from '@nestjs/common';
import { refsUpdated, type RefsUpdated } from '../../repository/repository.api';
import { PushedRefs } from './pushed-refs.service';

/** Makes pipelines for pushes of branches and tags. */
@Injectable()
export class PushPipelines extends EventSubscriber {
  /** A delivery that is repeated makes no pipeline again: each knows the event it was made for. */
  readonly name = 'ci.pipelines_of_pushes';
  override readonly delivery = { expireInSeconds: 300, concurrency: 2 };
  readonly reactions = [on(refsUpdated, (event, signal) => this.build(event, signal))];
  private readonly logger = new Logger(PushPipelines.name);
  /** An event is asked about before it is written and once more while it is: the second time costs nothing. */
  private readonly known = new WeakMap<object, Promise<boolean>>();

  constructor(private readonly refs: PushedRefs) {
    super();
  }

  /** Most projects have no configuration file, which costs less to see than a job does. */
  override concerns({ payload }: NewEvent): Promise<boolean> {
    if (!isPush(payload)) return Promise.resolve(false);
    const answer = this.known.get(payload) ?? this.look(payload);
    this.known.set(payload, answer);
    return answer;
  }

  private async look(payload: RefsUpdated): Promise<boolean> {
    try {
      return await this.refs.mayHavePipelines(payload);
    } catch (error) {
      // The push must not fail for it; the delivery looks again.
      this.logger.warn(
        { err: error, projectId: payload.projectId },
        'a pushed configuration was not readable',
      );
      return true;
    }
  }

  private build({ id, payload }: DomainEvent<RefsUpdated>, signal: AbortSignal): Promise<void> {
    return this.refs.build(id, payload, signal);
  }
}

const isPush = (payload: object): payload is RefsUpdated => 'updates' in payload && 'projectId' in payload;

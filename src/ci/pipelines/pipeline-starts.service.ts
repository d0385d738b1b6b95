import { invalid, type DomainError } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import { ConfigurationFiles } from './configuration-files.service';
import type { Pipeline } from './pipeline.entity';
import { PipelineCreation } from './pipeline-creation.service';
import type { PipelineOrder } from './pipeline-order';
import { RedundantPipelines } from './redundant-pipelines.service';
import { RefRights } from './ref-rights';

/** Whether there is a pipeline for what happened, and what becomes of it. */
@Injectable()
export class PipelineStarts {
  constructor(
    private readonly files: ConfigurationFiles,
    private readonly creation: PipelineCreation,
    private readonly rights: RefRights,
    private readonly redundant: RedundantPipelines,
  ) {}

  /**
   * For whoever asks for one. Without a configuration file it waits for statuses that others report (specification,
   * States). Throws `validation` with the reference's sentence where there can be none.
   */
  async onRequest(order: PipelineOrder): Promise<Pipeline> {
    const { actor, project, ref } = order;
    if (!(await this.rights.mayRun(actor, project, order)))
      throw impossible(`Insufficient permissions for protected ref '${ref}'`);
    const isProtected = await this.rights.isProtected(actor, project, order);
    const plan = await this.files.plan(order, isProtected);
    if (plan && 'problem' in plan) throw impossible(plan.problem);
    if (plan?.count === 0) throw impossible('No stages / jobs for this pipeline.');
    const pipeline = plan
      ? await this.creation.run(order, plan, isProtected)
      : await this.creation.empty(order, { status: 'pending', protected: isProtected });
    if (!pipeline) throw new Error('only pipelines of events are made once');
    await this.redundant.cancelBefore(project, pipeline);
    return pipeline;
  }

  /** For a push: a broken configuration shows as a failed pipeline. Null where there is nothing to run. */
  async onPush(order: PipelineOrder): Promise<Pipeline | null> {
    const { actor, project } = order;
    if (!(await this.rights.mayRun(actor, project, order))) return null;
    const isProtected = await this.rights.isProtected(actor, project, order);
    const plan = await this.files.plan(order, isProtected);
    if (!plan) return null;
    const pipeline = await this.forPlan(order, plan, isProtected);
    if (pipeline) await this.redundant.cancelBefore(project, pipeline);
    return pipeline;
  }

  /** For a merge request. Null where the configuration has nothing for those, or is broken. */
  async onMergeRequest(order: PipelineOrder): Promise<Pipeline | null> {
    const plan = await this.files.plan(order, false);
    if (!plan || 'problem' in plan || plan.count === 0) return null;
    const pipeline = await (order.skip
      ? this.creation.empty(order, { status: 'skipped', protected: false })
      : this.creation.run(order, plan, false));
    if (pipeline) await this.redundant.cancelBefore(order.project, pipeline);
    return pipeline;
  }

  private forPlan(
    order: PipelineOrder,
    plan: NonNullable<Awaited<ReturnType<ConfigurationFiles['plan']>>>,
    isProtected: boolean,
  ): Promise<Pipeline | null> {
    if ('problem' in plan) {
      const values = { status: 'failed', yamlErrors: plan.problem, protected: isProtected } as const;
      return this.creation.empty(order, values);
    }
    if (order.skip) return this.creation.empty(order, { status: 'skipped', protected: isProtected });
    if (plan.count === 0) return Promise.resolve(null);
    return this.creation.run(order, plan, isProtected);
  }
}

const impossible = (reason: string): DomainError => invalid({ base: [reason] });

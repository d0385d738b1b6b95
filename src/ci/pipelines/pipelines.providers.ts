import { ConfigurationReading } from '../configuration/configuration-reading.service';
import { LintController } from '../configuration/lint.controller';
import { ConfigurationLint } from '../configuration/lint.service';
import { ConfigurationFiles } from './configuration-files.service';
import { JobFactsRepository } from './job-facts.repository';
import { JobVariables } from './job-variables';
import { MergeRequestPipelines } from './merge-request-pipelines.service';
import { PipelineControl } from './pipeline-control.service';
import { PipelineCreation } from './pipeline-creation.service';
import { PipelineDetails } from './pipeline-details.service';
import { PipelineHookContents } from './pipeline-hook-contents';
import { PipelineHookEvent } from './pipeline-hook-event';
import { PipelineHookJobsRepository } from './pipeline-hook-jobs.repository';
import { PipelineJobsRepository } from './pipeline-jobs.repository';
import { PipelineProcessing } from './pipeline-processing';
import { PipelineRequests } from './pipeline-requests.service';
import { PipelineSearches } from './pipeline-searches.service';
import { PipelineSearchRepository } from './pipeline-search.repository';
import { PipelineStarts } from './pipeline-starts.service';
import { PipelineVariablesRepository } from './pipeline-variables.repository';
import { Pipeline } from './pipeline.entity';
import { PipelinesController } from './pipelines.controller';
import { PipelinesRepository } from './pipelines.repository';
import { Pipelines } from './pipelines.service';
import { PushPipelines } from './push-pipelines.subscriber';
import { PushedRefs } from './pushed-refs.service';
import { RedundantPipelines } from './redundant-pipelines.service';
import { RefRights } from './ref-rights';
import { ServiceFacts } from './service-facts';

/** Pipelines and their configuration, as the CI module takes them up. */
export const PIPELINES = {
  entities: [Pipeline],
  controllers: [LintController, PipelinesController],
  providers: [
    ConfigurationFiles,
    ConfigurationLint,
    ConfigurationReading,
    JobFactsRepository,
    JobVariables,
    PipelineControl,
    PipelineCreation,
    PipelineHookContents,
    PipelineHookEvent,
    PipelineHookJobsRepository,
    PipelineJobsRepository,
    PipelineProcessing,
    PipelineRequests,
    Pipelines,
    PipelineSearches,
    PipelineStarts,
    PipelineVariablesRepository,
    PushedRefs,
    PushPipelines,
    RedundantPipelines,
    RefRights,
    ServiceFacts,
  ],
  /** For the contexts above. */
  published: [MergeRequestPipelines, PipelineDetails, PipelinesRepository, PipelineSearchRepository],
} as const;

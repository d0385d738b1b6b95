import type { Configuration } from './configuration';
import { ConfigurationError } from './configuration-error';
import type { JobDefinition } from './job-definition';
import { selectJobs, type Chosen, type SelectionFacts } from './job-selection';
import type { NewJob, NewJobs } from './new-job';

/** As a project's setting is in the reference unless somebody changes it. */
const DEFAULT_TIMEOUT_SECONDS = 3600;
/** All that runners are told of one pipeline, as JSON. */
const LARGEST_PIPELINE = 16 * 1024 * 1024;

/** The jobs that a pipeline is to have. Throws ConfigurationError. */
export function configuredJobs(configuration: Configuration, facts: SelectionFacts): NewJobs {
  const chosen = selectJobs(configuration.jobs, facts);
  const names = new Set(chosen.map(({ job }) => job.name));
  for (const { job } of chosen) {
    const lacking = job.needs?.find((name) => !names.has(name));
    if (lacking !== undefined) throw new ConfigurationError(`${job.name}: needs '${lacking}'`);
  }
  let size = 0;
  const texts = chosen.map((one) => {
    const text = JSON.stringify(newJob(configuration, one));
    size += text.length;
    if (size > LARGEST_PIPELINE) throw new ConfigurationError('The jobs of the pipeline are too large');
    return text;
  });
  return { count: texts.length, json: `[${texts.join(',')}]` };
}

function newJob(configuration: Configuration, { job, when, startInSeconds }: Chosen): NewJob {
  return {
    name: job.name,
    stage: job.stage,
    stageIndex: configuration.stages.indexOf(job.stage),
    when,
    allowFailure: job.allowFailure,
    needs: job.needs,
    tags: [...new Set(job.tags)],
    timeoutSeconds: job.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS,
    coverageRegex: job.coverageRegex,
    definition: definitionOf(configuration, { job, when, startInSeconds }),
  };
}

function definitionOf({ variables }: Configuration, { job, startInSeconds }: Chosen): JobDefinition {
  const own = new Set(job.variables.map(({ key }) => key));
  return {
    beforeScript: job.beforeScript ?? [],
    script: job.script,
    afterScript: job.afterScript ?? [],
    image: job.image ?? null,
    services: job.services ?? [],
    variables: [...variables.filter(({ key }) => !own.has(key)), ...job.variables],
    artifacts: job.artifacts ?? null,
    cache: job.cache ?? null,
    dependencies: job.dependencies,
    environment: job.environment,
    interruptible: job.interruptible ?? false,
    retryMax: job.retry?.max ?? 0,
    retryWhen: job.retry?.when ?? ['always'],
    parallel: job.place,
    startInSeconds,
  };
}

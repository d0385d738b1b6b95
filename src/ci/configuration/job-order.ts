import { ConfigurationError } from './configuration-error';
import type { SingleJob } from './parallel-jobs';

/** The reference lets a job wait for so many others. */
const MOST_NEEDS = 50;

/** Every job has a stage that there is, and waits only for jobs that come before it. Throws ConfigurationError. */
export function requireOrder(jobs: readonly SingleJob[], stages: readonly string[]): void {
  const places = new Map(stages.map((stage, index) => [stage, index]));
  const byName = new Map(jobs.map((job) => [job.name, job]));
  for (const job of jobs) {
    const place = places.get(job.stage);
    if (place === undefined) refuse(job, `stage parameter should be ${stages.join(', ')}`);
    const isEarlier = (other: SingleJob): boolean => (places.get(other.stage) ?? place) < place;
    for (const name of job.dependencies ?? []) {
      const other = byName.get(name);
      if (!other) refuse(job, `undefined dependency: ${name}`);
      if (!isEarlier(other)) refuse(job, `dependency ${name} is not defined in prior stages`);
    }
    for (const name of job.needs ?? []) {
      const other = byName.get(name);
      if (!other) refuse(job, `undefined need: ${name}`);
      if (!isEarlier(other)) refuse(job, `need ${name} is not defined in prior stages`);
    }
    requireFewNeeds(job);
    requireStop(job, byName);
  }
}

function refuse({ name }: SingleJob, problem: string): never {
  throw new ConfigurationError(`${name} job: ${problem}`);
}

function requireFewNeeds({ name, needs }: SingleJob): void {
  if (needs && needs.length > MOST_NEEDS)
    throw new ConfigurationError(
      `${name}: one job can only need ${MOST_NEEDS} others, but you have listed ${needs.length}. See needs keyword documentation for more details`,
    );
}

/** The job that takes an environment down does so for the same environment. */
function requireStop(job: SingleJob, byName: ReadonlyMap<string, SingleJob>): void {
  const stop = job.environment?.onStop;
  if (stop === undefined) return;
  const other = byName.get(stop);
  if (!other) refuse(job, `on_stop job ${stop} is not defined`);
  if (!other.environment) refuse(job, `on_stop job ${stop} does not have environment defined`);
  if (other.environment.name !== job.environment?.name)
    refuse(job, `on_stop job ${stop} have different environment name`);
  if (other.environment.action !== 'stop')
    refuse(job, `on_stop job ${stop} needs to have action stop defined`);
}

import type { JobConfig } from './job-config';

/** A job that runs once: where it is one of several equal ones, it knows which. */
export interface SingleJob extends JobConfig {
  readonly place: { readonly index: number; readonly total: number } | null;
  /** The name that the configuration has for it. */
  readonly configuredName: string;
}

/** Has each parallel job be as many as it asks for; what names one means all of them. Of two of one name the later wins. */
export function withParallelJobs(jobs: readonly JobConfig[]): SingleJob[] {
  const names = new Map(jobs.map(({ name, parallel }) => [name, namesOf(name, parallel)]));
  const resolved = (given: readonly string[] | null): readonly string[] | null =>
    given && given.flatMap((name) => names.get(name) ?? [name]);
  const all = jobs.flatMap((job) => {
    const [needs, dependencies] = [resolved(job.needs), resolved(job.dependencies)];
    const { name: configuredName, parallel: total } = job;
    return namesOf(configuredName, total).map((name, at): SingleJob => ({
      ...job,
      name,
      configuredName,
      needs,
      dependencies,
      place: total === null ? null : { index: at + 1, total },
    }));
  });
  return [...new Map(all.map((job) => [job.name, job])).values()];
}

const namesOf = (name: string, total: number | null): string[] =>
  total === null ? [name] : Array.from({ length: total }, (_, at) => `${name} ${at + 1}/${total}`);

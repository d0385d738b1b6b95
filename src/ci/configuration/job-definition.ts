/** What a runner is told of a job, as the configuration has it: the column `jobs.definition`. Plain JSON. */
export interface JobDefinition {
  readonly beforeScript: readonly string[];
  readonly script: readonly string[];
  readonly afterScript: readonly string[];
  readonly image: ImageDefinition | null;
  readonly services: readonly ServiceDefinition[];
  /** Those of the whole configuration and the job's own, which win. */
  readonly variables: readonly VariableDefinition[];
  readonly artifacts: ArtifactsDefinition | null;
  readonly cache: CacheDefinition | null;
  /** Names of the jobs whose artifacts it gets; null for those of all earlier stages. */
  readonly dependencies: readonly string[] | null;
  readonly environment: EnvironmentDefinition | null;
  readonly interruptible: boolean;
  readonly retryMax: number;
  /** Failure reasons that are worth another attempt; `always` for all. */
  readonly retryWhen: readonly string[];
  /** Which of how many equal jobs, from 1; null for a job that is alone. */
  readonly parallel: { readonly index: number; readonly total: number } | null;
  /** A delayed job waits so long once its turn has come; null for all others. */
  readonly startInSeconds: number | null;
}

export interface VariableDefinition {
  readonly key: string;
  readonly value: string;
}

export interface ImageDefinition {
  readonly name: string;
  readonly entrypoint?: readonly string[];
}

export interface ServiceDefinition extends ImageDefinition {
  readonly command?: readonly string[];
  readonly alias?: string;
}

export const ARTIFACTS_WHEN = ['on_success', 'on_failure', 'always'] as const;

export interface ArtifactsDefinition {
  readonly name?: string;
  readonly paths?: readonly string[];
  readonly untracked?: boolean;
  readonly when?: (typeof ARTIFACTS_WHEN)[number];
  /** As written: "1 week". */
  readonly expireIn?: string;
  readonly exposeAs?: string;
  /** Kind of report ("junit") → paths. */
  readonly reports?: Readonly<Record<string, readonly string[]>>;
}

export const CACHE_POLICIES = ['pull-push', 'push', 'pull'] as const;

export interface CacheDefinition {
  readonly key?: string;
  readonly paths?: readonly string[];
  readonly untracked?: boolean;
  readonly policy?: (typeof CACHE_POLICIES)[number];
}

export interface EnvironmentDefinition {
  readonly name: string;
  readonly url?: string;
  readonly action: 'start' | 'stop';
  /** The job that takes the environment down. */
  readonly onStop?: string;
}

/** When a job runs, once its turn has come. */
export const JOB_WHEN = ['on_success', 'on_failure', 'always', 'manual', 'delayed'] as const;
export type JobWhen = (typeof JOB_WHEN)[number];

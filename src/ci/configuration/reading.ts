import { readConfiguration } from './configuration';
import { ConfigurationError } from './configuration-error';
import { configuredJobs } from './configured-jobs';
import { asksForChanges, asksForPaths, type SelectionFacts } from './job-selection';
import type { NewJobs } from './new-job';

/** A configuration that is to be read; all of it plain data. */
export interface ReadingOrder {
  readonly text: string;
  /** Null where it belongs to no project: then it is looked over, and no jobs are chosen. */
  readonly target: ReadingTarget | null;
}

type Value = readonly [name: string, value: string];

/** What a pipeline is for, as far as it is known before the configuration is. */
export interface ReadingTarget extends Pick<SelectionFacts, 'projectPath' | 'ref' | 'kind' | 'source'> {
  /** Those of the configuration win over these. */
  readonly known: readonly Value[];
  /** They win over all others. */
  readonly given: readonly Value[];
}

/** What a configuration asks for on its way: a file of the project, the paths that have changed, or all there are. */
export type ReadingQuestion =
  | { readonly is: 'file'; readonly path: string }
  | { readonly is: 'changed_paths' }
  | { readonly is: 'paths' };

/** The text of a file, or paths, which PATH_END ends; null where there is no such file, or nobody can say. */
export type ReadingReply = string | null;

export type ReadingAnswer = NewJobs | { readonly problem: string };

/** No path has it. One text crosses over to another thread far faster than a hundred thousand do. */
const PATH_END = '\0';

export const packedPaths = (paths: readonly string[] | null): ReadingReply =>
  paths === null ? null : paths.map((path) => path + PATH_END).join('');

const unpackedPaths = (packed: ReadingReply): readonly string[] | null =>
  packed === null ? null : packed.split(PATH_END).slice(0, -1);

/** Reads a configuration, and chooses the jobs of a pipeline. A mistake in it is an answer. */
export async function answerTo(
  { text, target }: ReadingOrder,
  ask: (question: ReadingQuestion) => Promise<ReadingReply>,
): Promise<ReadingAnswer> {
  try {
    const configuration = await readConfiguration(text, target && ((path) => ask({ is: 'file', path })));
    if (!target) return { count: 0, json: '[]' };
    const { jobs, variables } = configuration;
    const own = variables.map(({ key, value }): Value => [key, value]);
    const changed = asksForChanges(jobs) ? await ask({ is: 'changed_paths' }) : null;
    const paths = asksForPaths(jobs) ? await ask({ is: 'paths' }) : null;
    return configuredJobs(configuration, {
      ...target,
      variables: new Map([...target.known, ...own]),
      givenVariables: new Map(target.given),
      changedPaths: unpackedPaths(changed),
      paths: unpackedPaths(paths),
    });
  } catch (error) {
    if (error instanceof ConfigurationError) return { problem: error.message };
    throw error;
  }
}

import type { Actor } from '#libs/access';
import { invalid } from '#libs/errors';
import { ZERO_SHA, type Commit, type GitRepository } from '#libs/git';
import type { ParamsOf } from '#libs/http';
import { Injectable } from '@nestjs/common';
import { Repositories, type Project } from '../../repository/repository.api';
import type { Pipeline } from './pipeline.entity';
import type { CreatePipeline } from './pipeline.params';
import { PipelineStarts } from './pipeline-starts.service';
import { requireValidVariables } from './pipeline-variable';

const BRANCH = 'refs/heads/';
const TAG = 'refs/tags/';

/** A branch or tag, and where it is. */
interface FoundRef {
  readonly ref: string;
  readonly tag: boolean;
  readonly commit: Commit;
}

/** Pipelines that somebody asks for. */
@Injectable()
export class PipelineRequests {
  constructor(
    private readonly repositories: Repositories,
    private readonly starts: PipelineStarts,
  ) {}

  /** Throws `validation` where there is no such ref, or nothing to run. */
  async create(actor: Actor, project: Project, params: ParamsOf<typeof CreatePipeline>): Promise<Pipeline> {
    const found = await findRef(this.repositories.open(project), params.ref);
    const variables = (params.variables ?? []).map(({ key, value, variable_type: variableType }) => ({
      key,
      value,
      variableType,
    }));
    requireValidVariables(variables);
    return this.starts.onRequest({
      project,
      actor,
      source: 'api',
      ...found,
      beforeSha: ZERO_SHA,
      variables,
      mergeRequest: null,
      skip: false,
      eventId: null,
    });
  }
}

async function findRef(repository: GitRepository, given: string): Promise<FoundRef> {
  const found: FoundRef[] = [];
  for (const prefix of [BRANCH, TAG]) {
    const name = given.startsWith(prefix) ? given.slice(prefix.length) : given;
    if (given.startsWith('refs/') && name === given) continue;
    const sha =
      (await repository.ref(prefix + name)) === null ? null : await repository.resolve(prefix + name);
    const commit = sha === null ? null : await repository.commit(sha);
    if (commit) found.push({ ref: name, tag: prefix === TAG, commit });
  }
  const [first, second] = found;
  if (!first) throw invalid({ base: ['Reference not found'] });
  if (second) throw invalid({ base: ['Ref is ambiguous'] });
  return first;
}

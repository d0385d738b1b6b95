export { CommitPipelines, type CommitPipeline } from './commits/commit-pipelines';
export { Project } from './projects/project.entity';
export { refsUpdated, type RefsUpdated } from './changes/refs-updated.event';
export { Repositories } from './storages/repositories';
export { requireCommit } from './commits/commit-lookup';

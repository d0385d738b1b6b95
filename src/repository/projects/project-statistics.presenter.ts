import { field, presenter } from '#libs/presenting';
import type { ProjectStatistics } from './project-details';

export const ProjectStatisticsRecord = field.object({
  commit_count: field.int(),
  storage_size: field.int(),
  repository_size: field.int(),
  wiki_size: field.int(),
  lfs_objects_size: field.int(),
  job_artifacts_size: field.int(),
  packages_size: field.int(),
});

export const presentStatistics = presenter(ProjectStatisticsRecord, (statistics: ProjectStatistics) => ({
  commit_count: statistics.commitCount,
  storage_size:
    statistics.repositorySize +
    statistics.wikiSize +
    statistics.lfsObjectsSize +
    statistics.jobArtifactsSize +
    statistics.packagesSize,
  repository_size: statistics.repositorySize,
  wiki_size: statistics.wikiSize,
  lfs_objects_size: statistics.lfsObjectsSize,
  job_artifacts_size: statistics.jobArtifactsSize,
  packages_size: statistics.packagesSize,
}));

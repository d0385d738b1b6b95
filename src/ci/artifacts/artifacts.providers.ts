import { ArtifactGate } from './artifact-gate.middleware';
import { ArtifactDownloads } from './artifact-downloads.service';
import { ArtifactUploads } from './artifact-uploads.service';
import { ExpireArtifacts } from './expired-artifacts.job';
import { JobArtifactActions } from './job-artifact-actions.service';
import { JobArtifact } from './job-artifact.entity';
import { JobArtifactsController } from './job-artifacts.controller';
import { JobArtifactsRepository } from './job-artifacts.repository';
import { JobFileRemovals } from './job-file-removals';
import { JobFiles } from './job-files';
import { RemoveJobFiles } from './remove-job-files.job';
import { RunnerArtifactsController } from './runner-artifacts.controller';

/** What jobs leave behind, as the module takes it up. */
export const ARTIFACTS = {
  entities: [JobArtifact],
  controllers: [JobArtifactsController, RunnerArtifactsController],
  providers: [
    ArtifactDownloads,
    ArtifactGate,
    ArtifactUploads,
    ExpireArtifacts,
    JobArtifactActions,
    JobArtifactsRepository,
    JobFileRemovals,
    JobFiles,
    RemoveJobFiles,
  ],
} as const;

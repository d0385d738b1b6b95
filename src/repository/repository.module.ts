import { CallerResolver } from '#libs/http';
import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdentityModule } from '../identity/identity.module';
import { CallerRepository } from './callers/caller.repository';
import { BranchCommits } from './changes/branch-commits.service';
import { PushRights } from './changes/push-rights';
import { RefIntentRecovery } from './changes/ref-intent-recovery.job';
import { RefIntentsRepository } from './changes/ref-intents.repository';
import { RefMoves } from './changes/ref-moves.service';
import { AccessibleProjects } from './callers/accessible-projects';
import { CommitMaking } from './commits/commit-making.service';
import { CommitsController } from './commits/commits.controller';
import { CommitsService } from './commits/commits.service';
import { CommitSignaturesController } from './commits/signatures/commit-signatures.controller';
import { CommitSignatures } from './commits/signatures/commit-signatures.service';
import { FilesController } from './files/files.controller';
import { FilesService } from './files/files.service';
import { Project } from './projects/project.entity';
import { ProjectsRepository } from './projects/projects.repository';
import { GitAccess } from './git-http/git-access.service';
import { GitHttp } from './git-http/git-http.middleware';
import { ProjectPushes } from './git-http/project-push';
import { ProtectedBranch, ProtectedBranchAccess } from './protected-branches/protected-branch.entity';
import { ProtectedBranchesRepository } from './protected-branches/protected-branches.repository';
import { StoragesModule } from './storages/storages.module';

/** Projects and what is in their repositories. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([Project, ProtectedBranch, ProtectedBranchAccess]), IdentityModule, StoragesModule],
  controllers: [FilesController, CommitsController, CommitSignaturesController],
  providers: [
    { provide: CallerResolver, useClass: CallerRepository },
    AccessibleProjects,
    BranchCommits,
    CommitMaking,
    CommitSignatures,
    CommitsService,
    FilesService,
    GitAccess,
    GitHttp,
    ProjectPushes,
    ProjectsRepository,
    ProtectedBranchesRepository,
    PushRights,
    RefIntentRecovery,
    RefIntentsRepository,
    RefMoves,
  ],
  exports: [CallerResolver],
})
export class RepositoryModule {}

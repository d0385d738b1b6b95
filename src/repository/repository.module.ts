import { CallerResolver } from '#libs/http';
import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { GroupProjects, NamespaceContents } from '../identity/identity.api';
import { IdentityModule } from '../identity/identity.module';
import { CallerRepository } from './callers/caller.repository';
import { BranchCommits } from './changes/branch-commits.service';
import { PushRights } from './changes/push-rights';
import { RefIntentRecovery } from './changes/ref-intent-recovery.job';
import { RefIntentsRepository } from './changes/ref-intents.repository';
import { RefMoves } from './changes/ref-moves.service';
import { RefRecords } from './changes/ref-records.service';
import { AccessibleProjects } from './callers/accessible-projects';
import { CommitMaking } from './commits/commit-making.service';
import { CommitsController } from './commits/commits.controller';
import { CommitsService } from './commits/commits.service';
import { CommitSignaturesController } from './commits/signatures/commit-signatures.controller';
import { CommitSignatures } from './commits/signatures/commit-signatures.service';
import { Badge } from './badges/badge.entity';
import { BadgeValues } from './badges/badge-values.service';
import { BadgesRepository } from './badges/badges.repository';
import { Badges } from './badges/badges.service';
import { GroupBadgesController } from './badges/group-badges.controller';
import { ProjectBadgesController } from './badges/project-badges.controller';
import { FilesController } from './files/files.controller';
import { FilesService } from './files/files.service';
import { Project } from './projects/project.entity';
import { ProjectsRepository } from './projects/projects.repository';
import { ProjectContributions } from './contributions/project-contributions.repository';
import { GitAccess } from './git-http/git-access.service';
import { GitHttp } from './git-http/git-http.middleware';
import { Maintenance } from './maintenance/maintenance.job';
import { StorageSweep } from './maintenance/storage-sweep.job';
import { Upkeep } from './maintenance/upkeep.service';
import { ProjectPushes } from './git-http/project-push';
import { ProtectedBranch, ProtectedBranchAccess } from './protected-branches/protected-branch.entity';
import { ProtectedBranchesRepository } from './protected-branches/protected-branches.repository';
import { BranchesController } from './branches/branches.controller';
import { BranchesService } from './branches/branches.service';
import { DeleteMergedBranches } from './branches/merged-branches.job';
import { BrowsingController } from './browsing/browsing.controller';
import { BrowsingService } from './browsing/browsing.service';
import { DefaultBranches } from './projects/default-branches.service';
import { GroupProjectsController } from './projects/group-projects.controller';
import { GroupProjectsRepository } from './projects/group-projects.repository';
import { LicenseDetection, NoLicenseDetection } from './projects/license-detection';
import { ProjectChanges } from './projects/project-changes.service';
import { ProjectCreation } from './projects/project-creation.service';
import { ProjectDeletion } from './projects/project-deletion.service';
import { ProjectDescriptions } from './projects/project-descriptions.service';
import { ProjectDetailsRepository } from './projects/project-details.repository';
import { ProjectFigures } from './projects/project-figures.job';
import { ProjectFounding } from './projects/project-founding.service';
import { RemoveProject } from './projects/project-removal.job';
import { ProjectRemoval } from './projects/project-removal.service';
import { ProjectSearchRepository } from './projects/project-search.repository';
import { ProjectTransferRepository } from './projects/project-transfer.repository';
import { ProjectTransfer } from './projects/project-transfer.service';
import { ProjectsController } from './projects/projects.controller';
import { ProjectsOfGroups } from './projects/projects-of-groups';
import { ProjectsOfNamespaces } from './projects/projects-of-namespaces';
import { ProjectsService } from './projects/projects.service';
import { Release } from './tags/release.entity';
import { ReleasesRepository } from './tags/releases.repository';
import { TagsController } from './tags/tags.controller';
import { TagsService } from './tags/tags.service';
import { RepositoryImport } from './imports/repository-import.service';
import { StoragesModule } from './storages/storages.module';

/** Projects and what is in their repositories. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forFeature([Badge, Project, ProtectedBranch, ProtectedBranchAccess, Release]),
    IdentityModule,
    StoragesModule,
  ],
  controllers: [
    FilesController,
    GroupBadgesController,
    ProjectBadgesController,
    CommitsController,
    CommitSignaturesController,
    BranchesController,
    BrowsingController,
    ProjectsController,
    GroupProjectsController,
    TagsController,
  ],
  providers: [
    CallerRepository,
    { provide: CallerResolver, useExisting: CallerRepository },
    AccessibleProjects,
    BadgeValues,
    Badges,
    BadgesRepository,
    { provide: LicenseDetection, useClass: NoLicenseDetection },
    BranchCommits,
    BranchesService,
    BrowsingService,
    DefaultBranches,
    DeleteMergedBranches,
    CommitMaking,
    CommitSignatures,
    CommitsService,
    FilesService,
    GitAccess,
    GitHttp,
    Maintenance,
    Upkeep,
    ProjectPushes,
    ProjectChanges,
    ProjectContributions,
    ProjectCreation,
    ProjectDeletion,
    ProjectDescriptions,
    ProjectDetailsRepository,
    ProjectFigures,
    ProjectFounding,
    ProjectSearchRepository,
    { provide: GroupProjects, useClass: ProjectsOfGroups },
    { provide: NamespaceContents, useClass: ProjectsOfNamespaces },
    GroupProjectsRepository,
    ProjectRemoval,
    ProjectTransfer,
    ProjectTransferRepository,
    ProjectsRepository,
    ProjectsService,
    ProtectedBranchesRepository,
    PushRights,
    RefIntentRecovery,
    StorageSweep,
    RefIntentsRepository,
    RefMoves,
    RefRecords,
    ReleasesRepository,
    RemoveProject,
    RepositoryImport,
    TagsService,
  ],
  exports: [CallerResolver, ProjectContributions, GroupProjects, NamespaceContents],
})
export class RepositoryModule {}

import { CallerResolver } from '#libs/http';
import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { GroupProjects, NamespaceContents } from '../identity/identity.api';
import { IdentityModule } from '../identity/identity.module';
import { FewProjectsRepository } from './callers/few-projects.repository';
import { CallerRepository } from './callers/caller.repository';
import { AccessibleGroups } from './callers/accessible-groups';
import { BranchCommits } from './changes/branch-commits.service';
import { SeparateFork } from './forks/fork-separation.job';
import { RepositoryRemoval } from './projects/repository-removal.service';
import { BranchLending } from './changes/branch-lending.service';
import { PushRights } from './changes/push-rights';
import { RefIntentRecovery } from './changes/ref-intent-recovery.job';
import { RefIntentsRepository } from './changes/ref-intents.repository';
import { RefMoves } from './changes/ref-moves.service';
import { RefRecords } from './changes/ref-records.service';
import { CheckRepositories } from './checks/check-repositories.job';
import { RepositoryChecksRepository } from './checks/repository-checks.repository';
import { GroupReach } from './callers/group-reach.repository';
import { ActingUsers } from './callers/acting-users';
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
import { DetectLanguages } from './languages/detect-languages.job';
import { LanguageDetection } from './languages/language-detection.service';
import { LanguagesController } from './languages/languages.controller';
import { LanguagesRepository } from './languages/languages.repository';
import { LanguagesService } from './languages/languages.service';
import { HOOKS } from './hooks/hooks.providers';
import { HousekeepingController } from './maintenance/housekeeping.controller';
import { HousekeepingRepository } from './maintenance/housekeeping.repository';
import { Housekeeping } from './maintenance/housekeeping.service';
import { Maintenance } from './maintenance/maintenance.job';
import { StorageSweep } from './maintenance/storage-sweep.job';
import { Upkeep } from './maintenance/upkeep.service';
import { ProjectPushes } from './git-http/project-push';
import { ProtectedBranch, ProtectedBranchAccess } from './protected-branches/protected-branch.entity';
import { ProtectedBranchRecords } from './protected-branches/protected-branch-records.repository';
import { ProtectedBranchesController } from './protected-branches/protected-branches.controller';
import { ProtectedBranchesRepository } from './protected-branches/protected-branches.repository';
import { ProtectedBranches } from './protected-branches/protected-branches.service';
import { PUSH_RULES } from './push-rules/push-rules.providers';
import { BranchesController } from './branches/branches.controller';
import { BranchesService } from './branches/branches.service';
import { DeleteMergedBranches } from './branches/merged-branches.job';
import { BrowsingController } from './browsing/browsing.controller';
import { BrowsingService } from './browsing/browsing.service';
import { DefaultBranches } from './projects/default-branches.service';
import { GroupProjectsController } from './projects/group-projects.controller';
import { GroupProjectsRepository } from './projects/group-projects.repository';
import { LicenseDetection } from './projects/license-detection';
import { RepositoryLicenses } from './licenses/repository-licenses.service';
import { ProjectChanges } from './projects/project-changes.service';
import { ProjectCreation } from './projects/project-creation.service';
import { ProjectDeletion } from './projects/project-deletion.service';
import { MIRRORS } from './mirrors/mirrors.providers';
import { FurtherSettings } from './projects/further-settings.service';
import { ProjectDescriptions } from './projects/project-descriptions.service';
import { ProjectDetailsRepository } from './projects/project-details.repository';
import { ProjectFigures } from './projects/project-figures.job';
import { ProjectFounding } from './projects/project-founding.service';
import { RemoveProject } from './projects/project-removal.job';
import { ProjectRemoval } from './projects/project-removal.service';
import { ProjectSearchRepository } from './projects/project-search.repository';
import { StorageFigures } from './projects/storage-figures';
import { ProjectTransferRepository } from './projects/project-transfer.repository';
import { ProjectTransfer } from './projects/project-transfer.service';
import { ProjectsController } from './projects/projects.controller';
import { ProjectsOfGroups } from './projects/projects-of-groups';
import { ProjectsOfNamespaces } from './projects/projects-of-namespaces';
import { ProjectsService } from './projects/projects.service';
import { CopyFork } from './forks/fork-copy.job';
import { ForkCreation } from './forks/fork-creation.service';
import { ForkRelationsRepository } from './forks/fork-relations.repository';
import { ForksController } from './forks/forks.controller';
import { Forks } from './forks/forks.service';
import { ProjectLifecycleController } from './projects/project-lifecycle.controller';
import { ProjectMoves } from './projects/project-moves.service';
import { ProjectPlaces } from './projects/project-places.service';
import { UserProjectsController } from './projects/user-projects.controller';
import { UserProjects } from './projects/user-projects.service';
import { StarsController } from './stars/stars.controller';
import { StarsRepository } from './stars/stars.repository';
import { Stars } from './stars/stars.service';
import { ExpiredShares } from './shares/expired-shares.job';
import { Share } from './shares/share.entity';
import { SharesController } from './shares/shares.controller';
import { SharesRepository } from './shares/shares.repository';
import { Shares } from './shares/shares.service';
import { SnapshotsController } from './snapshots/snapshots.controller';
import { Snapshots } from './snapshots/snapshots.service';
import { Release } from './tags/release.entity';
import { ReleasesRepository } from './tags/releases.repository';
import { TagsController } from './tags/tags.controller';
import { TagsService } from './tags/tags.service';
import { AbandonedUploads } from './uploads/abandoned-uploads.job';
import { UploadStorage } from './uploads/upload-storage';
import { Upload } from './uploads/upload.entity';
import { UploadedFilesController } from './uploads/uploaded-files.controller';
import { UploadsController } from './uploads/uploads.controller';
import { UploadsRepository } from './uploads/uploads.repository';
import { Uploads } from './uploads/uploads.service';
import { WIKIS } from './wikis/wikis.providers';
import { RepositoryImport } from './imports/repository-import.service';
import { StoragesModule } from './storages/storages.module';

/** Projects and what is in their repositories. */
@Global()
@Module({
  imports: [
    ...HOOKS.imports,
    TypeOrmModule.forFeature([
      ...HOOKS.entities,
      ...PUSH_RULES.entities,
      Badge,
      Project,
      ProtectedBranch,
      ProtectedBranchAccess,
      Release,
      Share,
      Upload,
    ]),
    IdentityModule,
    StoragesModule,
  ],
  controllers: [
    ...HOOKS.controllers,
    ...MIRRORS.controllers,
    ...PUSH_RULES.controllers,
    ...WIKIS.controllers,
    ProtectedBranchesController,
    HousekeepingController,
    SnapshotsController,
    FilesController,
    GroupBadgesController,
    UploadsController,
    UploadedFilesController,
    SharesController,
    ForksController,
    StarsController,
    UserProjectsController,
    ProjectLifecycleController,
    ProjectBadgesController,
    CommitsController,
    CommitSignaturesController,
    BranchesController,
    BrowsingController,
    LanguagesController,
    ProjectsController,
    GroupProjectsController,
    TagsController,
  ],
  providers: [
    ...HOOKS.published,
    ...HOOKS.providers,
    CallerRepository,
    { provide: CallerResolver, useExisting: CallerRepository },
    AccessibleProjects,
    ActingUsers,
    AbandonedUploads,
    UploadStorage,
    Uploads,
    UploadsRepository,
    AccessibleGroups,
    FewProjectsRepository,
    GroupReach,
    CopyFork,
    ForkCreation,
    ForkRelationsRepository,
    Forks,
    ProjectMoves,
    ProjectPlaces,
    Stars,
    StarsRepository,
    UserProjects,
    ExpiredShares,
    Shares,
    SharesRepository,
    BadgeValues,
    Badges,
    BadgesRepository,
    { provide: LicenseDetection, useClass: RepositoryLicenses },
    BranchCommits,
    CheckRepositories,
    RepositoryChecksRepository,
    BranchesService,
    BrowsingService,
    DefaultBranches,
    DeleteMergedBranches,
    DetectLanguages,
    LanguageDetection,
    LanguagesRepository,
    LanguagesService,
    CommitMaking,
    CommitSignatures,
    CommitsService,
    FilesService,
    GitAccess,
    GitHttp,
    Maintenance,
    Housekeeping,
    HousekeepingRepository,
    ...MIRRORS.providers,
    ...WIKIS.providers,
    ...PUSH_RULES.providers,
    ProtectedBranchRecords,
    ProtectedBranches,
    FurtherSettings,
    Snapshots,
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
    StorageFigures,
    { provide: GroupProjects, useClass: ProjectsOfGroups },
    { provide: NamespaceContents, useClass: ProjectsOfNamespaces },
    GroupProjectsRepository,
    ProjectRemoval,
    ProjectTransfer,
    ProjectTransferRepository,
    ProjectsRepository,
    ProjectsService,
    ProtectedBranchesRepository,
    BranchLending,
    PushRights,
    RefIntentRecovery,
    StorageSweep,
    RefIntentsRepository,
    RefMoves,
    RefRecords,
    ReleasesRepository,
    RemoveProject,
    RepositoryRemoval,
    SeparateFork,
    RepositoryImport,
    TagsService,
  ],
  exports: [
    ...HOOKS.published,
    AccessibleGroups,
    FewProjectsRepository,
    GroupReach,
    AccessibleProjects,
    ActingUsers,
    CallerResolver,
    ProjectContributions,
    StorageFigures,
    GroupProjects,
    NamespaceContents,
    RefMoves,
    PushRights,
    ProjectsRepository,
    Uploads,
  ],
})
export class RepositoryModule {}

import { atLeast, isAdmin, PROJECT_POLICY, type Actor } from '#libs/access';
import { Injectable } from '@nestjs/common';
import { CustomAttributes, RunnersTokens, type CustomAttribute } from '../../identity/identity.api';
import type {
  ProjectAccess,
  ProjectDetails,
  ProjectOwner,
  ProjectShare,
  ProjectStatistics,
} from './project-details';
import { ProjectDetailsRepository } from './project-details.repository';
import type { Project } from './project.entity';
import { ProjectsRepository } from './projects.repository';

export interface DescriptionOptions {
  /** Anonymous callers get the simple form whatever is asked for. */
  readonly form: ProjectDetails['form'];
  readonly statistics?: boolean;
  /** For administrators. */
  readonly customAttributes?: boolean | undefined;
}

interface Facts {
  /** Of the projects and of those they were forked from. */
  readonly access: ReadonlyMap<number, ProjectAccess>;
  readonly sources: ReadonlyMap<number, Project>;
  readonly shares: ReadonlyMap<number, ProjectShare[]>;
  readonly owners: ReadonlyMap<number, ProjectOwner>;
  readonly statistics: ReadonlyMap<number, ProjectStatistics>;
  readonly customAttributes: ReadonlyMap<number, readonly CustomAttribute[]>;
}

const NO_ACCESS: ProjectAccess = { level: 0, direct: null, inherited: null };
const NO_STATISTICS: ProjectStatistics = {
  commitCount: 0,
  repositorySize: 0,
  wikiSize: 0,
  lfsObjectsSize: 0,
  jobArtifactsSize: 0,
  packagesSize: 0,
};

const NO_FACTS: Facts = {
  access: new Map(),
  sources: new Map(),
  shares: new Map(),
  owners: new Map(),
  statistics: new Map(),
  customAttributes: new Map(),
};

/** Gathers what records of projects tell, for one caller; the number of queries does not depend on that of projects. */
@Injectable()
export class ProjectDescriptions {
  constructor(
    private readonly projects: ProjectsRepository,
    private readonly details: ProjectDetailsRepository,
    private readonly tokens: RunnersTokens,
    private readonly attributes: CustomAttributes,
  ) {}

  async describe(
    actor: Actor,
    projects: readonly Project[],
    options: DescriptionOptions,
  ): Promise<ProjectDetails[]> {
    const form = actor.user ? options.form : 'simple';
    const facts = await this.factsOf(actor, projects, { ...options, form });
    return projects.map((project) => this.describeOne(actor, project, form, options, facts));
  }

  private describeOne(
    caller: Actor,
    project: Project,
    form: ProjectDetails['form'],
    { statistics }: DescriptionOptions,
    facts: Facts,
  ): ProjectDetails {
    const access = facts.access.get(project.id) ?? NO_ACCESS;
    const actor = { ...caller, level: access.level };
    const seesStatistics = statistics === true && PROJECT_POLICY.reporter(actor, project);
    return {
      project,
      form,
      access,
      canReadCode: PROJECT_POLICY.download_code(actor, project),
      forkedFrom: sourceOf(caller, project, facts),
      owner: facts.owners.get(project.namespace.ownerId ?? 0) ?? null,
      shares: facts.shares.get(project.id) ?? [],
      statistics: seesStatistics ? (facts.statistics.get(project.id) ?? NO_STATISTICS) : null,
      customAttributes: facts.customAttributes.get(project.id) ?? null,
      runnersToken: atLeast('maintainer')(actor, project) ? this.tokens.for('project', project.id) : null,
    };
  }

  private async factsOf(
    actor: Actor,
    projects: readonly Project[],
    options: DescriptionOptions,
  ): Promise<Facts> {
    const { user } = actor;
    const ids = projects.map(({ id }) => id);
    if (!user || ids.length === 0) return NO_FACTS;
    const isSimple = options.form === 'simple';
    const ownerIds = new Set(projects.flatMap(({ namespace }) => namespace.ownerId ?? []));
    const sources = isSimple ? [] : await this.projects.findMany(sourceIdsOf(projects));
    const access = await this.details.accessOf(user.id, [...ids, ...sources.map(({ id }) => id)]);
    return {
      access,
      sources: new Map(sources.map((source) => [source.id, source])),
      shares: isSimple ? new Map() : await this.details.sharesOf(user, ids),
      owners: isSimple ? new Map() : await this.details.ownersOf([...ownerIds]),
      statistics: isSimple || options.statistics !== true ? new Map() : await this.details.statisticsOf(ids),
      customAttributes:
        options.customAttributes && isAdmin(actor) ? await this.attributes.of('project', ids) : new Map(),
    };
  }
}

const sourceIdsOf = (projects: readonly Project[]): number[] => [
  ...new Set(projects.flatMap(({ forkedFromProjectId }) => forkedFromProjectId ?? [])),
];

function sourceOf(caller: Actor, fork: Project, { sources, access }: Facts): ProjectDetails['forkedFrom'] {
  const project = sources.get(fork.forkedFromProjectId ?? 0);
  if (!project) return null;
  const actor = { ...caller, level: (access.get(project.id) ?? NO_ACCESS).level };
  if (!PROJECT_POLICY.reader(actor, project)) return null;
  return { project, canReadCode: PROJECT_POLICY.download_code(actor, project) };
}

import { signedIn, type Actor, type ActorUser } from '#libs/access';
import { badRequest, conflict, DomainError, notFound, requireUnmodified } from '#libs/errors';
import { isTagName, ZERO_SHA, type Commit, type GitRepository, type Sha, type Tag } from '#libs/git';
import type { ParamsOf } from '#libs/http';
import { pageOf, type Page, type PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { personOf } from '../changes/branch-commits.service';
import { pushCheck } from '../changes/push-rights';
import { RefMoves, tagRef } from '../changes/ref-moves.service';
import { refusedCommit } from '../changes/refused-commit';
import { refMatcher } from '../branches/ref-search';
import type { Project } from '../projects/project.entity';
import type { PushRule } from '../push-rules/push-rule.entity';
import { Repositories } from '../storages/repositories';
import { ReleasesRepository } from './releases.repository';
import type { TagDetails, TagRelease } from './tag';
import type { CreateTag, DescribeRelease, ListTags, TagPath } from './tag.params';

type TagParams = ParamsOf<typeof TagPath>;

/** Tags of a repository and the releases described with them. */
@Injectable()
export class TagsService {
  constructor(
    private readonly repositories: Repositories,
    private readonly moves: RefMoves,
    private readonly releases: ReleasesRepository,
  ) {}

  async list(
    project: Project,
    params: ParamsOf<typeof ListTags>,
    page: PageRequest,
    signal: AbortSignal,
  ): Promise<Page<TagDetails>> {
    const repository = this.repositories.open(project, signal);
    const isWanted = refMatcher(params.search);
    const wanted = (await repository.tags()).filter(({ name }) => isWanted(name));
    const ordered = params.order_by === 'updated' ? await byTimeOfCommit(repository, wanted) : wanted;
    const shown = pageOf(params.sort === 'asc' ? ordered : ordered.toReversed(), page);
    return { ...shown, rows: await this.describe(project, repository, shown.rows) };
  }

  async find(project: Project, { tag_name: name }: TagParams): Promise<TagDetails> {
    const repository = this.repositories.open(project);
    const [details] = await this.describe(project, repository, [await requireTag(repository, name)]);
    if (!details) throw new Error('one tag gives one description');
    return details;
  }

  async create(actor: Actor, project: Project, params: ParamsOf<typeof CreateTag>): Promise<TagDetails> {
    const user = signedIn(actor);
    const { tag_name: name, release_description: description } = params;
    if (!isTagName(name)) throw badRequest('Tag name invalid');
    await this.moves.lockedAnew(project, pushCheck(actor), (current, rule) =>
      this.makeRef(user, current, rule, params),
    );
    if (description)
      await this.releases.add({ projectId: project.id, tag: name, description, authorId: user.id });
    return this.find(project, params);
  }

  async remove(
    actor: Actor,
    project: Project,
    { tag_name: name }: TagParams,
    unmodifiedSince: Date | null,
  ): Promise<void> {
    const user = signedIn(actor);
    const repository = this.repositories.open(project);
    await this.moves.lockedAnew(project, pushCheck(actor), async (current, rule) => {
      const { target, sha } = await requireTag(repository, name);
      const commit = sha === null || unmodifiedSince === null ? null : await repository.commit(sha);
      if (commit) requireUnmodified(new Date(commit.author.time * 1000), unmodifiedSince);
      const updates = [{ ref: tagRef(name), oldSha: target, newSha: ZERO_SHA }];
      await this.moves
        .push({ project: current, user, updates, rule })
        .catch((error: unknown) => refusedCommit(error));
    });
  }

  async addRelease(
    actor: Actor,
    project: Project,
    params: ParamsOf<typeof DescribeRelease>,
  ): Promise<TagRelease> {
    const { tag_name: tag, description } = params;
    await requireTag(this.repositories.open(project), tag, 'Tag does not exist');
    const isNew = await this.releases.add({
      projectId: project.id,
      tag,
      description,
      authorId: signedIn(actor).id,
    });
    if (!isNew) throw conflict('Release already exists');
    return { tag, description };
  }

  async describeRelease(project: Project, params: ParamsOf<typeof DescribeRelease>): Promise<TagRelease> {
    const { tag_name: tag, description } = params;
    await requireTag(this.repositories.open(project), tag, 'Tag does not exist');
    const isThere = await this.releases.describe(project.id, tag, description);
    if (!isThere) throw missingTag('Release does not exist');
    return { tag, description };
  }

  /** The caller holds the repository's lock. */
  private async makeRef(
    user: ActorUser,
    project: Project,
    rule: PushRule | null,
    params: ParamsOf<typeof CreateTag>,
  ): Promise<void> {
    const { tag_name: name, ref, message } = params;
    const repository = this.repositories.open(project);
    if ((await repository.ref(tagRef(name))) !== null) throw badRequest(`Tag ${name} already exists`);
    const target = await repository.resolve(ref);
    if (target === null) throw badRequest(`Target ${ref} is invalid`);
    const newSha = message
      ? await repository.tagObject({ target, name, message, tagger: personOf(user) })
      : target;
    const updates = [{ ref: tagRef(name), oldSha: ZERO_SHA, newSha }];
    await this.moves.push({ project, user, updates, rule }).catch((error: unknown) => refusedCommit(error));
  }

  private async describe(
    project: Project,
    repository: GitRepository,
    tags: readonly Tag[],
  ): Promise<TagDetails[]> {
    const commits = await commitsOf(repository, tags);
    const releases = await this.releases.ofTags(
      project.id,
      tags.map(({ name }) => name),
    );
    return tags.map(({ name, target, sha, message }) => ({
      name,
      target,
      message,
      commit: sha === null ? null : (commits.get(sha) ?? null),
      release: releases.get(name) ?? null,
    }));
  }
}

const missingTag = (message: string): DomainError => new DomainError({ kind: 'not_found', message });

async function requireTag(repository: GitRepository, name: string, sentence?: string): Promise<Tag> {
  const tag = await repository.tag(name);
  if (!tag) throw sentence === undefined ? notFound('Tag') : missingTag(sentence);
  return tag;
}

async function commitsOf(repository: GitRepository, tags: readonly Tag[]): Promise<Map<Sha, Commit>> {
  const shas = new Set(tags.flatMap(({ sha }) => sha ?? []));
  const commits = await repository.commits([...shas]);
  return new Map(commits.map((commit) => [commit.sha, commit]));
}

/** Oldest commit first; those of one time by name, tags of something else than a commit before all. */
async function byTimeOfCommit(repository: GitRepository, tags: readonly Tag[]): Promise<Tag[]> {
  const commits = await commitsOf(repository, tags);
  const time = ({ sha }: Tag): number => (sha === null ? 0 : (commits.get(sha)?.committer.time ?? 0));
  return tags.toSorted((a, b) => time(a) - time(b));
}

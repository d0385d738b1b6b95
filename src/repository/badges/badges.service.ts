import type { Actor } from '#libs/access';
import { Database } from '#libs/database';
import { DomainError, invalid, notFound, requireUnmodified, type ValidationErrors } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import { mapPage, type Page, type PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import type { BadgeSource, BadgeUrls, PlaceholderValues, RenderedBadge, RenderedUrls } from './badge';
import type { Badge } from './badge.entity';
import type { CreateBadge, RenderBadge, UpdateBadge } from './badge.params';
import { renderUrl, urlProblem } from './badge-url';
import { BadgeValues } from './badge-values.service';
import { BadgesRepository } from './badges.repository';

/** Badges of projects and groups. */
@Injectable()
export class Badges {
  constructor(
    private readonly database: Database,
    private readonly badges: BadgesRepository,
    private readonly values: BadgeValues,
  ) {}

  /** A project also shows the badges of its group and of the groups above. */
  async list(actor: Actor, source: BadgeSource, request: PageRequest): Promise<Page<RenderedBadge>> {
    const page = await this.badges.page(source, request);
    const values = await this.values.for(actor, source, page.rows.flatMap(urlsOf));
    return mapPage(page, (badge) => renderedBadge(badge, values));
  }

  async show(actor: Actor, source: BadgeSource, id: number): Promise<RenderedBadge> {
    return this.rendered(actor, source, await this.require(source, id));
  }

  /** How a badge would look. Throws `validation` for URLs that no badge may have. */
  async render(
    actor: Actor,
    source: BadgeSource,
    { link_url: linkUrl, image_url: imageUrl }: ParamsOf<typeof RenderBadge>,
  ): Promise<RenderedUrls> {
    const urls = { linkUrl, imageUrl };
    refuseInvalid(urls);
    return renderedUrls(urls, await this.values.for(actor, source, urlsOf(urls)));
  }

  async create(
    actor: Actor,
    source: BadgeSource,
    { link_url: linkUrl, image_url: imageUrl }: ParamsOf<typeof CreateBadge>,
  ): Promise<RenderedBadge> {
    const urls = { linkUrl, imageUrl };
    refuseInvalid(urls);
    const badge = await this.badges.insert(source, urls);
    if (!badge) throw notFound(source.kind === 'project' ? 'Project' : 'Group');
    return this.rendered(actor, source, badge);
  }

  /** Throws 403 for a group's badge that is named by a project. */
  async update(
    actor: Actor,
    source: BadgeSource,
    { badge_id: id, link_url: linkUrl, image_url: imageUrl }: ParamsOf<typeof UpdateBadge>,
  ): Promise<RenderedBadge> {
    const changed = await this.database.transaction(async () => {
      const badge = await this.requireOwn(source, id, 'edit');
      const urls = { linkUrl: linkUrl ?? badge.linkUrl, imageUrl: imageUrl ?? badge.imageUrl };
      refuseInvalid(urls);
      return this.badges.update(id, urls);
    });
    if (!changed) throw notFound();
    return this.rendered(actor, source, changed);
  }

  /** Throws 403 for a group's badge that is named by a project. */
  delete(source: BadgeSource, id: number, unmodifiedSince: Date | null): Promise<void> {
    return this.database.transaction(async () => {
      const badge = await this.requireOwn(source, id, 'delete');
      requireUnmodified(badge.updatedAt, unmodifiedSince);
      await this.badges.remove(id);
    });
  }

  private async rendered(actor: Actor, source: BadgeSource, badge: Badge): Promise<RenderedBadge> {
    return renderedBadge(badge, await this.values.for(actor, source, urlsOf(badge)));
  }

  private async require(source: BadgeSource, id: number): Promise<Badge> {
    const badge = await this.badges.find(source, id);
    if (!badge) throw notFound();
    return badge;
  }

  /** The badge, held until the transaction ends. A group's is for its owners to change, not for a project's maintainers. */
  private async requireOwn(source: BadgeSource, id: number, verb: 'edit' | 'delete'): Promise<Badge> {
    const badge = await this.require(source, id);
    if (badge.kind !== source.kind) {
      const error = `To ${verb} a Group badge please use the Group endpoint`;
      throw new DomainError({ kind: 'forbidden', error });
    }
    const held = await this.badges.hold(id);
    if (!held) throw notFound();
    return held;
  }
}

const urlsOf = ({ linkUrl, imageUrl }: BadgeUrls): string[] => [linkUrl, imageUrl];

const renderedUrls = ({ linkUrl, imageUrl }: BadgeUrls, values: PlaceholderValues): RenderedUrls => ({
  linkUrl,
  imageUrl,
  renderedLinkUrl: renderUrl(linkUrl, values),
  renderedImageUrl: renderUrl(imageUrl, values),
});

const renderedBadge = (badge: Badge, values: PlaceholderValues): RenderedBadge => ({
  id: badge.id,
  kind: badge.kind,
  ...renderedUrls(badge, values),
});

function refuseInvalid({ linkUrl, imageUrl }: BadgeUrls): void {
  const errors: ValidationErrors = {};
  for (const [name, url] of [
    ['link_url', linkUrl],
    ['image_url', imageUrl],
  ] as const) {
    const problem = urlProblem(url);
    if (problem !== null) errors[name] = [problem];
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

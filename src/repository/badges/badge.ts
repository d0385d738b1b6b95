import type { Namespace } from '../../identity/identity.api';
import type { Project } from '../projects/project.entity';
import type { Badge } from './badge.entity';

/** What stands in the place of placeholders; null where there is none, or the caller may not know it. */
export interface PlaceholderValues {
  readonly project_path: string | null;
  readonly project_id: string | null;
  readonly default_branch: string | null;
  readonly commit_sha: string | null;
}

/** Whose badges are meant: those that show in a project, or those of a group. */
export type BadgeSource =
  | { readonly kind: 'project'; readonly project: Project }
  | { readonly kind: 'group'; readonly group: Namespace };

export const ofProject = (project: Project): BadgeSource => ({ kind: 'project', project });
export const ofGroup = (group: Namespace): BadgeSource => ({ kind: 'group', group });

export interface BadgeUrls {
  readonly linkUrl: string;
  readonly imageUrl: string;
}

export interface RenderedUrls extends BadgeUrls {
  readonly renderedLinkUrl: string;
  readonly renderedImageUrl: string;
}

/** A badge as one caller may see it. */
export interface RenderedBadge extends RenderedUrls, Pick<Badge, 'id' | 'kind'> {}

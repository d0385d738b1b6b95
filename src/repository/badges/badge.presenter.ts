import { field, presenter } from '#libs/presenting';
import type { RenderedBadge, RenderedUrls } from './badge';

const RenderedUrlsRecord = field.object({
  link_url: field.string(),
  image_url: field.string(),
  rendered_link_url: field.string(),
  rendered_image_url: field.string(),
});

/** A badge that is only tried out. */
export const presentRenderedUrls = presenter(RenderedUrlsRecord, (urls: RenderedUrls) => ({
  link_url: urls.linkUrl,
  image_url: urls.imageUrl,
  rendered_link_url: urls.renderedLinkUrl,
  rendered_image_url: urls.renderedImageUrl,
}));

const BadgeRecord = field.object({
  id: field.int(),
  ...RenderedUrlsRecord.shape,
  kind: field.enum(['project', 'group']),
});

/** Specification, Badge. */
export const presentBadge = presenter(BadgeRecord, (badge: RenderedBadge, view) => ({
  id: badge.id,
  ...presentRenderedUrls(badge, view),
  kind: badge.kind,
}));

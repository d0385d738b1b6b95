import { field, presenter } from '#libs/presenting';
import { FORMATS, titleOf, type WikiPage } from './wiki-page';

const WikiPageRecord = field.object({
  content: field.string().optional(),
  format: field.enum(FORMATS),
  slug: field.string(),
  title: field.string(),
});

export const presentWikiPage = presenter(WikiPageRecord, (page: WikiPage) => ({
  ...(page.content !== null && { content: page.content }),
  format: page.format,
  slug: page.slug,
  title: titleOf(page),
}));

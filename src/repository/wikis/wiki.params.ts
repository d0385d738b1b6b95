import { params, wire } from '#libs/http';
import { FORMATS } from './wiki-page';

const LONGEST_TITLE = 255;

export const ListWikiPages = params({ with_content: wire.boolean().default(false) });

export const WikiPagePath = params({ slug: wire.text() });

export const CreateWikiPage = params({
  title: wire.text({ blank: false, max: LONGEST_TITLE }),
  content: wire.content(),
  format: wire.oneOf(FORMATS).default('markdown'),
});

export const UpdateWikiPage = WikiPagePath.extend({
  title: wire.text({ blank: false, max: LONGEST_TITLE }).optional(),
  content: wire.content().optional(),
  format: wire.oneOf(FORMATS).optional(),
});

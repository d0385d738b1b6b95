import { params, wire } from '#libs/http';

export const ListTags = params({
  order_by: wire.oneOf(['name', 'updated']).default('updated'),
  sort: wire.oneOf(['asc', 'desc']).default('desc'),
  search: wire.text().optional().describe('Text in the name; `^text` for its beginning, `text$` for its end'),
});

export const TagPath = params({ tag_name: wire.text().describe('URL-encoded name of the tag') });

export const CreateTag = params({
  tag_name: wire.text({ blank: false }),
  ref: wire.text({ blank: false }).describe('Branch, tag or commit to name'),
  message: wire.text().optional().describe('Makes an annotated tag'),
  release_description: wire.text().optional(),
});

export const DescribeRelease = TagPath.extend({ description: wire.text({ blank: false }) });

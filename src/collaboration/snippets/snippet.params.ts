import { VISIBILITIES } from '#libs/access';
import { atLeastOneOf, mutuallyExclusive, params, wire } from '#libs/http';

export const InProject = params({});
export const SnippetPath = params({ snippet_id: wire.integer({ min: 1 }) });
export const ListPersonalSnippets = params({});
export const PersonalSnippetPath = params({ id: wire.integer({ min: 1 }) });

const written = {
  file_name: wire.text(),
  description: wire.text().nullable().optional(),
  title: wire.text(),
};

const changed = {
  title: wire.text().optional(),
  file_name: wire.text().optional(),
  description: wire.text().nullable().optional(),
  visibility: wire.oneOf(VISIBILITIES).optional(),
};

const code = wire.text({ blank: false }).optional().describe('The text');
const content = wire.text({ blank: false }).optional().describe('The same as `code`');

export const CreateProjectSnippet = params(
  { ...written, code, content, visibility: wire.oneOf(VISIBILITIES) },
  mutuallyExclusive('code', 'content'),
);

export const UpdateProjectSnippet = SnippetPath.extend(
  { ...changed, code, content },
  mutuallyExclusive('code', 'content'),
  atLeastOneOf('title', 'file_name', 'description', 'code', 'content', 'visibility'),
);

export const CreatePersonalSnippet = params({
  ...written,
  content: wire.text({ blank: false }),
  visibility: wire.oneOf(VISIBILITIES).default('internal'),
});

export const UpdatePersonalSnippet = PersonalSnippetPath.extend(
  { ...changed, content },
  atLeastOneOf('title', 'file_name', 'description', 'content', 'visibility'),
);

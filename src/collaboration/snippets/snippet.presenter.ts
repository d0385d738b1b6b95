import { VISIBILITIES } from '#libs/access';
import { contentDisposition, field, presenter, presentTime, type View } from '#libs/presenting';
import { presentUserSummary, UserSummaryRecord } from '../../identity/identity.api';
import type { Snippet } from './snippet.entity';
import type { ShownSnippet } from './shown-snippet';

const SnippetRecord = field.object({
  id: field.int(),
  title: field.string(),
  file_name: field.string(),
  description: field.string().nullable(),
  visibility: field.enum(VISIBILITIES),
  author: UserSummaryRecord.nullable(),
  updated_at: field.string(),
  created_at: field.string(),
  project_id: field.int().nullable(),
  web_url: field.string(),
  raw_url: field.string(),
});

export const presentSnippet = presenter(
  SnippetRecord,
  ({ snippet, author, projectPath }: ShownSnippet, view: View) => {
    const url = view.urls.web(`${projectPath === null ? '' : `${projectPath}/`}snippets/${snippet.id}`);
    return {
      id: snippet.id,
      title: snippet.title,
      file_name: snippet.fileName,
      description: snippet.description,
      visibility: snippet.visibility,
      author: author && presentUserSummary(author, view),
      updated_at: presentTime(snippet.updatedAt),
      created_at: presentTime(snippet.createdAt),
      project_id: snippet.projectId,
      web_url: url,
      raw_url: `${url}/raw`,
    };
  },
);

/**
 * The headers under which a snippet's text is sent: never as something that a browser would run, and kept by no cache,
 * as the right to read it may end.
 */
export const rawSnippetHeaders = (
  { id, fileName }: Pick<Snippet, 'id' | 'fileName'>,
  size: number,
): Record<string, string> => ({
  'Content-Type': 'text/plain; charset=utf-8',
  'Content-Length': String(size),
  'Content-Disposition': contentDisposition('inline', fileName || `snippet-${id}.txt`),
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cache-Control': 'max-age=0, private, must-revalidate, no-store, no-cache',
});

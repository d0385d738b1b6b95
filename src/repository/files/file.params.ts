import { params, wire } from '#libs/http';

export const FilePath = params({
  file_path: wire.text().describe('URL-encoded full path of the file'),
});

export const ReadFile = FilePath.extend({
  ref: wire.text({ blank: false }).describe('Branch, tag or commit'),
});

const ChangeFile = FilePath.extend({
  branch: wire.text({ blank: false }),
  commit_message: wire.text({ blank: false }),
  start_branch: wire.text().optional().describe('Branch to start the new branch from'),
  author_email: wire.text().optional(),
  author_name: wire.text().optional(),
});

export const CreateFile = ChangeFile.extend({
  content: wire.content(),
  encoding: wire.oneOf(['text', 'base64']).optional().describe('Encoding of `content`; text by default'),
});

export const UpdateFile = CreateFile.extend({
  last_commit_id: wire.text().optional().describe('Last known commit of the file'),
});

export const DeleteFile = ChangeFile.extend({
  last_commit_id: wire.text().optional().describe('Last known commit of the file'),
});

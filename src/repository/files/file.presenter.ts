import { contentDisposition, field, presenter } from '#libs/presenting';
import type { FileChange, FileMetadata, FileWithContent, RawFile } from './file';

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const FileRecord = field.object({
  file_name: field.string(),
  file_path: field.string(),
  size: field.int(),
  encoding: field.literal('base64'),
  content: field.string(),
  content_sha256: field.string(),
  ref: field.string(),
  blob_id: field.string(),
  commit_id: field.string(),
  last_commit_id: field.string(),
});

/** The record of a file around its content in base64. */
export const fileFields = (file: FileMetadata, content: string) => ({
  file_name: nameOf(file.path),
  file_path: file.path,
  size: file.size,
  encoding: 'base64' as const,
  content,
  content_sha256: file.contentSha256,
  ref: file.ref,
  blob_id: file.blobId,
  commit_id: file.commitId,
  last_commit_id: file.lastCommitId,
});

export const presentFile = presenter(FileRecord, (file: FileWithContent) =>
  fileFields(file, file.content.toString('base64')),
);

const FileChangeRecord = field.object({ file_path: field.string(), branch: field.string() });

export const presentFileChange = presenter(FileChangeRecord, ({ path, branch }: FileChange) => ({
  file_path: path,
  branch,
}));

/** Header values are Latin-1: what is not printable ASCII is percent-encoded as in a URL. */
const headerText = (text: string): string => text.replace(/[^\x20-\x7e]+/g, encodeURIComponent);

/** The specification's, and the reference system's own: go-gitlab looks under no other and reads nothing without. */
const HEADER_PREFIXES = ['X-Service-', 'X-Gitlab-'] as const;

const RECORD_FIELDS = [
  'Blob-Id',
  'Commit-Id',
  'Content-Sha256',
  'Encoding',
  'File-Name',
  'File-Path',
  'Last-Commit-Id',
  'Ref',
  'Size',
] as const;

type RecordField = (typeof RECORD_FIELDS)[number];

/** Made once: putting the names together for every answer took as long as sending it. */
const RECORD_HEADERS = HEADER_PREFIXES.flatMap((prefix) =>
  RECORD_FIELDS.map((field) => ({ name: `${prefix}${field}`, field })),
);

/** The file's record as headers, for HEAD and beside every body (specification, Repository files). */
export function fileHeaders(file: FileMetadata): Record<string, string> {
  const record: Record<RecordField, string> = {
    'Blob-Id': file.blobId,
    'Commit-Id': file.commitId,
    'Content-Sha256': file.contentSha256,
    Encoding: 'base64',
    'File-Name': headerText(nameOf(file.path)),
    'File-Path': headerText(file.path),
    'Last-Commit-Id': file.lastCommitId,
    Ref: headerText(file.ref),
    Size: String(file.size),
  };
  const headers: Record<string, string> = {};
  for (const { name, field } of RECORD_HEADERS) headers[name] = record[field];
  return headers;
}

/**
 * The file's record as headers, and a validator: at one URL the record is the same as long as the ref means the same
 * commit. So it need not be made out of the whole body.
 */
export const fileRecordHeaders = (file: FileMetadata): Record<string, string> => ({
  ...fileHeaders(file),
  ETag: `W/"${file.commitId}-${file.blobId}"`,
});

/**
 * The headers under which a file's raw bytes are sent: never as something that a browser would run, and kept by no
 * cache, as the right to read it may end.
 */
export const rawFileHeaders = (file: RawFile): Record<string, string> => ({
  ...fileHeaders(file),
  'Content-Type': file.isBinary ? 'application/octet-stream' : 'text/plain; charset=utf-8',
  'Content-Length': String(file.size),
  'Content-Disposition': contentDisposition('inline', nameOf(file.path)),
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cache-Control': 'max-age=0, private, must-revalidate, no-store, no-cache',
  ETag: `W/"${file.blobId}"`,
});

import { field, presenter } from '#libs/presenting';
import type { Blob } from './blob';

const BlobRecord = field.object({
  size: field.int(),
  encoding: field.literal('base64'),
  content: field.string(),
  sha: field.string(),
});

/** The record around a content, which is streamed into it where it is large. */
export const blobFields = ({ sha, size }: Pick<Blob, 'sha' | 'size'>, content: string) => ({
  size,
  encoding: 'base64' as const,
  content,
  sha,
});

export const presentBlob = presenter(BlobRecord, (blob: Blob) =>
  blobFields(blob, blob.content.toString('base64')),
);

/** The headers under which a blob's bytes are sent: never as something that a browser would run. */
export const rawBlobHeaders = (size: number): Record<string, string> => ({
  'Content-Type': 'application/octet-stream',
  'Content-Length': String(size),
  'Content-Disposition': 'attachment',
  'Content-Security-Policy': "default-src 'none'; sandbox",
});

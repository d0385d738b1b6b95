import { field, presenter } from '#libs/presenting';
import type { Blob } from './blob';

const BlobRecord = field.object({
  size: field.int(),
  encoding: field.literal('base64'),
  content: field.string(),
  sha: field.string(),
});

export const presentBlob = presenter(BlobRecord, ({ sha, size, content }: Blob) => ({
  size,
  encoding: 'base64' as const,
  content: content.toString('base64'),
  sha,
}));

/** The headers under which a blob's bytes are sent: never as something that a browser would run. */
export const rawBlobHeaders = (size: number): Record<string, string> => ({
  'Content-Type': 'application/octet-stream',
  'Content-Length': String(size),
  'Content-Disposition': 'attachment',
  'Content-Security-Policy': "default-src 'none'; sandbox",
});

import { contentDisposition, field, presenter } from '#libs/presenting';
import { isPicture } from './picture-types';
import { altText, markdownOf, uploadUrl } from './upload-name';
import type { Upload } from './upload.entity';

const UploadRecord = field.object({ alt: field.string(), url: field.string(), markdown: field.string() });

/** Specification, Upload result. */
export const presentUpload = presenter(UploadRecord, ({ secret, fileName }: Upload) => ({
  alt: altText(fileName),
  url: uploadUrl(secret, fileName),
  markdown: markdownOf(secret, fileName),
}));

/** The headers under which the bytes are sent: never as something that a browser would run. */
export const uploadHeaders = ({ secret, fileName, contentType }: Upload): Record<string, string> => ({
  'Content-Type': contentType,
  'Content-Disposition': contentDisposition(isPicture(contentType) ? 'inline' : 'attachment', fileName),
  'X-Content-Type-Options': 'nosniff',
  // Opened by itself, a picture is drawn and nothing else.
  'Content-Security-Policy': "default-src 'none'; sandbox",
  // Bytes under a secret never change; the right to read them may.
  'Cache-Control': 'max-age=0, private, must-revalidate',
  ETag: `"${secret}"`,
});

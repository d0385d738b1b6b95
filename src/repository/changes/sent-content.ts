import type { LongText } from '#libs/http';

/** The bytes that a caller sends as a file's content. Base64 may have MIME line breaks; text is kept exactly as sent. */
export async function sentContent(
  content: string | LongText,
  encoding: 'text' | 'base64' | undefined,
): Promise<Buffer> {
  const as = encoding === 'base64' ? 'base64' : 'utf8';
  return typeof content === 'string' ? Buffer.from(content, as) : content.bytes(as);
}

/** The bytes that a caller sends as a file's content. Base64 may have MIME line breaks; text is kept exactly as sent. */
export const sentContent = (content: string, encoding: 'text' | 'base64' | undefined): Buffer =>
  Buffer.from(content, encoding === 'base64' ? 'base64' : 'utf8');

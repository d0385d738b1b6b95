export interface ContentType {
  /** In lower case; '' without a Content-Type. */
  readonly type: string;
  readonly charset: string;
}

/** Reads a Content-Type header; the charset is UTF-8 where none is named. */
export function readContentType(header: string | undefined): ContentType {
  const [type = '', ...parameters] = (header ?? '').split(';', 10);
  const charset = parameters.map((text) => /^\s*charset\s*=\s*"?([^"\s]{1,40})"?\s*$/i.exec(text)?.[1]);
  return { type: type.trim().toLowerCase(), charset: charset.find((name) => name !== undefined) ?? 'utf-8' };
}

/** `application/json` and what is built upon it, such as `application/scim+json`. */
export function isJson(type: string): boolean {
  return type === 'application/json' || /^application\/[\w.-]{1,80}\+json$/.test(type);
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type HttpMethod = (typeof METHODS)[number];

export const API_PREFIX = '/api/v4';
export const SCIM_PREFIX = '/api/scim/';

/** SCIM has credentials, bodies and errors of its own (RFC 7644). */
export type Protocol = 'api' | 'scim';

export interface ParsedRow {
  readonly method: HttpMethod;
  readonly path: string;
  readonly protocol: Protocol;
  readonly subject: 'project' | 'group' | null;
}

const isMethod = (text: string | undefined): text is HttpMethod => METHODS.some((method) => method === text);

/** Reads "GET /projects/:id"; paths are below /api/v4 unless they begin with /api/. Throws on anything else. */
export function parseRow(row: string): ParsedRow {
  const [method, path, ...rest] = row.split(' ');
  if (!isMethod(method) || !path?.startsWith('/') || rest.length > 0)
    throw new Error(`not a row of the specification: ${row}`);
  const kind = /^\/(project|group)s\/:id(?:\/|$)/.exec(path)?.[1];
  return {
    method,
    path: path.startsWith('/api/') ? path : `${API_PREFIX}${path}`,
    protocol: path.startsWith(SCIM_PREFIX) ? 'scim' : 'api',
    subject: kind === 'project' || kind === 'group' ? kind : null,
  };
}

/** The longest path segment that routes hold. */
const MAX_LENGTH = 255;

const PATH = /^(?!\.$)[a-zA-Z0-9_.](?:[a-zA-Z0-9_.-]*[a-zA-Z0-9_-])?$/;
const MISLEADING_END = /\.(?:git|atom)$/i;
const FORMAT =
  "can contain only letters, digits, '_', '-' and '.'. Cannot start with '-' or end in '.', '.git' or '.atom'.";

/** First segments of the service's own URLs, present and foreseeable: nobody may be called so. */
const RESERVED_AT_TOP = new Set([
  ...['-', '.well-known', 'abuse_reports', 'admin', 'api', 'assets', 'autocomplete', 'dashboard', 'explore'],
  ...[
    'favicon.ico',
    'favicon.png',
    'files',
    'groups',
    'health_check',
    'help',
    'import',
    'invites',
    'jwt',
    'login',
  ],
  ...[
    'metrics',
    'notification_settings',
    'oauth',
    'profile',
    'projects',
    'public',
    'robots.txt',
    's',
    'search',
  ],
  ...[
    'sent_notifications',
    'sitemap',
    'sitemap.xml',
    'snippets',
    'static',
    'unsubscribes',
    'uploads',
    'user',
    'users',
  ],
  ...['v2', '404.html', '422.html', '500.html', '502.html', '503.html'],
]);

/** Segments that mean a page of a group or project when they follow its path. */
const RESERVED_INSIDE = new Set([
  ...[
    '-',
    'badges',
    'blame',
    'blob',
    'builds',
    'commits',
    'create',
    'create_dir',
    'edit',
    'files',
    'find_file',
  ],
  ...['gitlab-lfs', 'info', 'new', 'preview', 'raw', 'refs', 'tree', 'update', 'wikis'],
]);

/** What paths of users, groups and projects may look like: they become parts of URLs. */
export const PathRules = {
  /** The sentence that says what is wrong with one segment; null for a good one. */
  problem(path: string): string | null {
    if (path.trim() === '') return "can't be blank";
    if (path.length > MAX_LENGTH) return `is too long (maximum is ${MAX_LENGTH} characters)`;
    return PATH.test(path) && !MISLEADING_END.test(path) ? null : FORMAT;
  },

  /** The sentence for a reserved word; `isTopLevel` for users and groups without a parent. */
  reservation(path: string, isTopLevel: boolean): string | null {
    const words = isTopLevel ? RESERVED_AT_TOP : RESERVED_INSIDE;
    return words.has(path.toLowerCase()) ? 'is a reserved name' : null;
  },
} as const;

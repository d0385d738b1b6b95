/** How a page may be written, and how its file's name ends then: the first ending is the one of new pages. */
export const FORMATS = ['markdown', 'rdoc', 'asciidoc', 'org'] as const;
export type WikiFormat = (typeof FORMATS)[number];

const ENDINGS = {
  markdown: ['md', 'markdown', 'mdown', 'mkd', 'mkdn'],
  rdoc: ['rdoc'],
  asciidoc: ['asciidoc', 'adoc'],
  org: ['org'],
} as const satisfies Record<WikiFormat, readonly [string, ...string[]]>;

/** A page as its file in the wiki's repository names it. */
export interface WikiFile {
  /** Path of the file. */
  readonly path: string;
  /** The path without ending: what the page is found by. */
  readonly slug: string;
  readonly format: WikiFormat;
}

export interface WikiPage extends WikiFile {
  /** Null where only the list of pages was asked for. */
  readonly content: string | null;
}

/** What a title is kept as: blanks become hyphens. Slashes make folders. */
export const slugOf = (title: string): string =>
  title
    .trim()
    .replace(/^\/+|\/+$/g, '')
    .replace(/\s+/g, '-');

/** The last part of a page's slug, as people read it. */
export const titleOf = ({ slug }: WikiFile): string =>
  slug.slice(slug.lastIndexOf('/') + 1).replace(/-/g, ' ');

export const fileOf = (slug: string, format: WikiFormat): WikiFile => ({
  path: `${slug}.${ENDINGS[format][0]}`,
  slug,
  format,
});

/** The page that a file is; null for files that are no pages. */
export function pageAt(path: string): WikiFile | null {
  const dot = path.lastIndexOf('.');
  const ending = path.slice(dot + 1).toLowerCase();
  const format = FORMATS.find((name) => ENDINGS[name].some((known) => known === ending));
  return dot > path.lastIndexOf('/') + 1 && format ? { path, slug: path.slice(0, dot), format } : null;
}

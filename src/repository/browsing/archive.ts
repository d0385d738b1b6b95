import type { ArchiveFormat } from '#libs/git';

export interface NamedArchive {
  /** Without the suffix of the format; also the folder inside of the archive. */
  readonly name: string;
  readonly format: ArchiveFormat;
}

const CONTENT_TYPES: Record<ArchiveFormat, string> = {
  tar: 'application/x-tar',
  'tar.gz': 'application/gzip',
  'tar.bz2': 'application/x-bzip2',
  zip: 'application/zip',
};

const FORMATS: Readonly<Record<string, ArchiveFormat>> = { tar: 'tar', 'tar.gz': 'tar.gz', zip: 'zip' };

/** The format that a suffix asks for: all that begin with `tb` or `bz` and `tar.bz2` mean the same. */
export const archiveFormat = (suffix: string): ArchiveFormat => FORMATS[suffix] ?? 'tar.bz2';

/** `ref` may hold slashes and, like the name of a file in a header, anything that a ref may. */
export const archiveName = (projectPath: string, ref: string, sha: string): string =>
  `${projectPath}-${ref.replaceAll('/', '-')}-${sha}`;

export const archiveHeaders = ({ name, format }: NamedArchive): Record<string, string> => {
  const fileName = `${name}.${format}`;
  const ascii = fileName.replace(/[^\x20-\x7e]|["\\]/g, '_');
  return {
    'Content-Type': CONTENT_TYPES[format],
    'Content-Disposition': `attachment; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(fileName)}`,
    'Content-Transfer-Encoding': 'binary',
  };
};

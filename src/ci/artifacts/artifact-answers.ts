import path from 'node:path';
import { RawAnswer } from '#libs/http';
import { contentDisposition } from '#libs/presenting';
import type { OpenedFile } from './artifact-downloads.service';

/** What a browser may know the type of, as it runs none of it. */
const HARMLESS: Readonly<Record<string, string>> = {
  '.txt': 'text/plain; charset=utf-8',
  '.log': 'text/plain; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
};
const UNKNOWN = 'application/octet-stream';

/** As something to be saved. Jobs of whoever may push have made it: no browser ever runs it here. */
export const download = ({ name, bytes, size }: OpenedFile, type = UNKNOWN): RawAnswer =>
  new RawAnswer(bytes, {
    'Content-Type': type,
    'Content-Length': String(size),
    'Content-Disposition': contentDisposition('attachment', name),
    'Content-Transfer-Encoding': 'binary',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; sandbox",
  });

/** One file of an archive, under the type that its name promises. */
export const downloadByName = (file: OpenedFile): RawAnswer =>
  download(file, HARMLESS[path.extname(file.name).toLowerCase()]);

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Whether bzip2 is installed, which the service uses where it finds it and does not need otherwise. */
export function hasBzip2(): boolean {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.some((folder) => {
    try {
      accessSync(join(folder, 'bzip2'), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

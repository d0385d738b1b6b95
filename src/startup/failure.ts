import { StartupError } from '#libs/database';
import { SettingsError } from '../settings/settings';

const codeOf = (error: Error): string | undefined =>
  'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** Why the service did not start: a sentence for what an operator can mend, a stack trace for a defect. */
export function explainFailure(error: unknown): string {
  if (error instanceof SettingsError || error instanceof StartupError) return error.message;
  if (!(error instanceof Error)) return `The service did not start: ${String(error)}`;
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return `The service did not start: another program listens on this address (${error.message}). Set PORT.`;
    case 'EACCES':
    case 'EROFS':
    case 'ENOSPC':
      return `The service did not start: ${error.message}`;
    case 'ECONNREFUSED':
    case 'ENOTFOUND':
    case '28P01':
    case '3D000':
      return `The service did not start: the database cannot be reached (${error.message || String(codeOf(error))}). See DATABASE_URL.`;
    default:
      return `The service did not start: ${error.stack ?? error.message}`;
  }
}

import type { BodyLimits } from '#libs/http';

const PATH = /^\/api\/v4\/jobs\/\d+\/artifacts(?:\.json)?\/?$/i;

/** Whether a request brings what a job has left behind, which may be more than other uploads. */
export const bringsArtifacts = ({ method, path }: { method: string; path: string }): boolean =>
  method === 'POST' && PATH.test(path);

const MOST_TEXT = 1024 * 1024;

/** How much of such a request is read once it is known who sends it: one file, and hardly anything else. In bytes. */
export const roomForArtifact = (file: number): BodyLimits => ({ text: MOST_TEXT, file, files: 1 });

const PATH = /^\/api\/v4\/jobs\/\d+\/artifacts(?:\.json)?\/?$/i;

/** Whether a request brings what a job has left behind, which may be more than other uploads. */
export const bringsArtifacts = ({ method, path }: { method: string; path: string }): boolean =>
  method === 'POST' && PATH.test(path);

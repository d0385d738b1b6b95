export * from './git';
export {
  RemoteError,
  type RemoteCopy,
  type RemoteLimits,
  type RemoteProblem,
  type RemoteRepository,
} from './remotes/remote';
export { GitEngine, type GitEngineOptions } from './git-engine';
export {
  InvalidPathError,
  isAbbreviatedSha,
  isBranchName,
  isFullRef,
  isReadablePath,
  isSha,
  isTagName,
  splitPath,
} from './names';

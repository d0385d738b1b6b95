export * from './git';
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

export { createTestDatabase, type TestDatabase } from './database/test-database';
export { startChild, type Child } from './processes/child';
export { madeOnce } from './processes/run-folder';
export { until } from './processes/until';
export { GitFixture, type FixtureCommit, type FixtureEntry } from './git/git-fixture';
export {
  divergingBranches,
  numberedLines,
  type DivergingBranches,
  type PlainFile,
  type PlainTree,
} from './git/diverging-branches';
export { randomHistory, randomNumbers, type RandomHistory } from './git/random-history';
export { isSoonGone, processesWith } from './git/process-list';
export { hasBzip2 } from './git/installed';

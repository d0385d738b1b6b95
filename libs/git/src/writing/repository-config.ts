/**
 * Findings of git's object check that real old histories have and that harm nobody. Under the check that pushes and
 * imports get every other finding is an error, above all the hostile trees (hasDotgit, hasDotdot, hasDot,
 * fullPathname, gitmodules…, nulInCommit).
 */
const TOLERATED = [
  'badDate',
  'badDateOverflow',
  'badEmail',
  'badTimezone',
  'missingEmail',
  'missingNameBeforeEmail',
  'missingSpaceBeforeDate',
  'missingSpaceBeforeEmail',
  'zeroPaddedDate',
  'zeroPaddedFilemode',
];

/**
 * A repository's own configuration. What commands must never do without goes with the command as well; this file is
 * for whoever runs git in a storage by hand.
 */
export const REPOSITORY_CONFIG = `[core]
	repositoryformatversion = 0
	filemode = true
	bare = true
	hooksPath = /dev/null
	logAllRefUpdates = false
	fsync = objects,derived-metadata,reference
	commitGraph = true
[gc]
	auto = 0
[maintenance]
	auto = false
[transfer]
	hideRefs = refs/keep-around
	hideRefs = refs/internal
[receive]
	fsckObjects = true
	autogc = false
	updateServerInfo = false
	denyDeleteCurrent = ignore
	denyCurrentBranch = ignore
[receive "fsck"]
${TOLERATED.map((finding) => `\t${finding} = ignore`).join('\n')}
[fetch]
	fsckObjects = true
	writeCommitGraph = false
[fetch "fsck"]
${TOLERATED.map((finding) => `\t${finding} = ignore`).join('\n')}
[uploadpack]
	allowFilter = true
	allowAnySHA1InWant = true
[pack]
	threads = 2
	windowMemory = 100m
	writeBitmapLookupTable = true
[repack]
	updateServerInfo = false
	writeBitmaps = true
`;

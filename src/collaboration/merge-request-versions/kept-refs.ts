import type { Sha } from '#libs/git';

/** By which a merge request's newest commits are found and fetched in the target's repository. */
export const headRef = (iid: number): string => `refs/merge-requests/${iid}/head`;

/** All names of a merge request: of its head, and of what merging it would make. */
export const refsOf = (iid: number): readonly string[] => [headRef(iid), `refs/merge-requests/${iid}/merge`];

/** Keeps a commit that no branch reaches any more; hidden from everybody. */
export const keepAroundRef = (sha: Sha): string => `refs/keep-around/${sha}`;

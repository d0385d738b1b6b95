/** The reference's marks of a change that is not ready: "WIP: …", "[WIP] …", "WIP …", once or more. */
const MARK = /^\s*(?:\[WIP\]\s*|WIP:\s*|WIP\s+)+/i;

/** Whether a title says that the work is still going on. */
export const isWorkInProgress = (title: string): boolean => MARK.test(title);

/** The title without its marks. */
export const withoutWorkInProgress = (title: string): string => title.replace(MARK, '');

const COMMIT_MARK = /^\s*(?:(?:\[WIP\]|WIP:|WIP)\s|fixup!|squash!)/;

/** Whether a commit's message says that it is not the last word. */
export const isWorkInProgressCommit = ({ message }: { readonly message: string }): boolean =>
  COMMIT_MARK.test(message);

import { badRequest, missing, type DomainError } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import type { FileAction } from '#libs/git';
import { sentContent } from '../changes/sent-content';
import { withoutLeadingSlashes } from '../paths/repository-path';
import type { CommitAction } from './commit.params';

type Action = ParamsOf<typeof CommitAction>;

/** One after another, for each of several large contents would have a slice of the event loop at a time. */
export async function fileActionsOf(actions: readonly Action[]): Promise<FileAction[]> {
  const found: FileAction[] = [];
  for (const [index, action] of actions.entries()) found.push(await fileActionOf(action, index));
  return found;
}

/** What each action needs beyond what all have (specification, Commits: actions). Throws a 400 for what is not given. */
async function fileActionOf(action: Action, index: number): Promise<FileAction> {
  const path = withoutLeadingSlashes(action.file_path);
  const absent = (field: keyof Action): DomainError => missing(`actions[${index}][${field}]`);
  const lastCommit = action.last_commit_id ? { lastCommit: action.last_commit_id } : {};
  switch (action.action) {
    case 'create':
      if (action.content === undefined) throw badRequest('You must provide content');
      return { action: 'create', path, content: await sentContent(action.content, action.encoding) };
    case 'update':
      if (action.content === undefined) throw absent('content');
      return {
        action: 'update',
        path,
        content: await sentContent(action.content, action.encoding),
        ...lastCommit,
      };
    case 'delete':
      return { action: 'delete', path, ...lastCommit };
    case 'move':
      if (!action.previous_path) throw absent('previous_path');
      return {
        action: 'move',
        path,
        previousPath: withoutLeadingSlashes(action.previous_path),
        ...(action.content !== undefined && { content: await sentContent(action.content, action.encoding) }),
        ...lastCommit,
      };
    case 'chmod':
      if (action.execute_filemode === undefined) throw absent('execute_filemode');
      return { action: 'chmod', path, executable: action.execute_filemode, ...lastCommit };
  }
}

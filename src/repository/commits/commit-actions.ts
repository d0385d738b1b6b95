import { badRequest, missing, type DomainError } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import type { FileAction } from '#libs/git';
import { sentContent } from '../changes/sent-content';
import { withoutLeadingSlashes } from '../paths/repository-path';
import type { CommitAction } from './commit.params';

type Action = ParamsOf<typeof CommitAction>;

/** What each action needs beyond what all have (specification, Commits: actions). Throws a 400 for what is not given. */
export function fileActionOf(action: Action, index: number): FileAction {
  const path = withoutLeadingSlashes(action.file_path);
  const absent = (field: keyof Action): DomainError => missing(`actions[${index}][${field}]`);
  const lastCommit = action.last_commit_id ? { lastCommit: action.last_commit_id } : {};
  switch (action.action) {
    case 'create':
      if (action.content === undefined) throw badRequest('You must provide content');
      return { action: 'create', path, content: sentContent(action.content, action.encoding) };
    case 'update':
      if (action.content === undefined) throw absent('content');
      return { action: 'update', path, content: sentContent(action.content, action.encoding), ...lastCommit };
    case 'delete':
      return { action: 'delete', path, ...lastCommit };
    case 'move':
      if (!action.previous_path) throw absent('previous_path');
      return {
        action: 'move',
        path,
        previousPath: withoutLeadingSlashes(action.previous_path),
        ...(action.content !== undefined && { content: sentContent(action.content, action.encoding) }),
        ...lastCommit,
      };
    case 'chmod':
      if (action.execute_filemode === undefined) throw absent('execute_filemode');
      return { action: 'chmod', path, executable: action.execute_filemode, ...lastCommit };
  }
}

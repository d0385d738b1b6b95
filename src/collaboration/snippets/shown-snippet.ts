import type { UserSummary } from '../../identity/identity.api';
import type { Snippet } from './snippet.entity';

/** A snippet with what its record tells besides. */
export interface ShownSnippet {
  readonly snippet: Snippet;
  /** Null where the account is gone. */
  readonly author: UserSummary | null;
  /** Full path of its project; null for a personal snippet. */
  readonly projectPath: string | null;
}

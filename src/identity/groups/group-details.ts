import type { Namespace } from '../namespaces/namespace.entity';
import type { ContentsOfGroup } from './group-projects';

/** A group as its own page shows it. */
export interface GroupDetails {
  readonly group: Namespace;
  /** Null for who may not see it. */
  readonly runnersToken: string | null;
  /** Null where the caller does not want them. */
  readonly contents: ContentsOfGroup | null;
}

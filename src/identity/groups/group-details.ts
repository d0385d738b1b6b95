import type { CustomAttribute } from '../custom-attributes/custom-attribute';
import type { Namespace } from '../namespaces/namespace.entity';
import type { ContentsOfGroup, GroupStatistics } from './group-projects';

/** A group as lists show it. */
export interface ListedGroup {
  readonly group: Namespace;
  /** Null for who may not see them or does not want to. */
  readonly statistics: GroupStatistics | null;
  /** Null for who may not see them or does not want to. */
  readonly customAttributes: readonly CustomAttribute[] | null;
}

/** A group as its own page shows it. */
export interface GroupDetails extends Omit<ListedGroup, 'statistics'> {
  /** Null for who may not see it. */
  readonly runnersToken: string | null;
  /** Null where the caller does not want them. */
  readonly contents: ContentsOfGroup | null;
}

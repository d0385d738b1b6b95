import type { RunnerKind } from './runner.entity';
import type { RunnerFilter } from './runners.repository';

interface Asked {
  readonly scope?: 'active' | 'paused' | 'online' | 'offline' | 'specific' | 'shared' | undefined;
  readonly type?: 'instance_type' | 'group_type' | 'project_type' | undefined;
  readonly status?: 'active' | 'paused' | 'online' | 'offline' | undefined;
  readonly tag_list?: readonly string[] | undefined;
}

const KIND_OF = {
  instance_type: 'instance',
  group_type: 'group',
  project_type: 'project',
  shared: 'instance',
  specific: 'project',
} as const satisfies Record<string, RunnerKind>;

/** `scope` says with one word what `type` and `status` say with two; those win. */
export function filterOf({ scope, type, status, tag_list: tags }: Asked): RunnerFilter {
  const isKind = scope === 'specific' || scope === 'shared';
  const kind = type ?? (isKind ? scope : undefined);
  return {
    kind: kind && KIND_OF[kind],
    status: status ?? (scope !== undefined && !isKind ? scope : undefined),
    tags,
  };
}

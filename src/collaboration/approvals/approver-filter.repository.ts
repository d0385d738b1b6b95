import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import type { Bind } from '../../planning/planning.api';
import {
  isNamedFor,
  NAMED_IN_PROJECT,
  namedAnyhow,
  namedForThemselves,
  namesNobody,
  replacingRules,
} from './effective-rules';

/** Everybody whose ids these are, nobody, or anybody. */
export type WantedNames = readonly number[] | 'None' | 'Any';

/** Lists by who is to approve. */
@Injectable()
export class ApproverFilter {
  constructor(private readonly database: Database) {}

  /**
   * SQL conditions over a merge request `mr` of the project, or of any. In a project whose own rule names somebody most of
   * its merge requests are theirs, so that the list's order leads to them; else the few rules that name them do.
   */
  async conditions(projectId: number | null, wanted: WantedNames, bind: Bind): Promise<string[]> {
    const users = typeof wanted === 'string' ? [null] : [...new Set(wanted)];
    const rows = await this.database.prepared<{ isNamed: boolean }>(
      'approvers_named_in_project',
      NAMED_IN_PROJECT,
      [projectId, users],
    );
    const isNamed = rows.map((row) => row.isNamed);
    if (wanted === 'None') {
      const isRare = projectId !== null && isNamed[0];
      return [
        namesNobody('mr'),
        ...(isRare ? [`mr.id IN (${replacingRules(`${bind(projectId)}::bigint`)})`] : []),
      ];
    }
    return users.map((id, index) => {
      const user = id === null ? null : `${bind(id)}::bigint`;
      if (!isNamed[index]) return `mr.id IN (${namedForThemselves(user)})`;
      return projectId === null ? `mr.id IN (${namedAnyhow(user)})` : isNamedFor('mr', user);
    });
  }
}

import { Injectable } from '@nestjs/common';
import { labelJson } from '../../planning/planning.api';
import { LabelsOfHooks } from './labels-of-hooks.repository';
import { HookRecords } from '../../repository/repository.api';
import { AssigneesRepository } from '../merge-requests/assignees.repository';
import type { ChangedValue } from '../merge-requests/merge-request-events';

type Changes = Readonly<Record<string, ChangedValue>>;

/** Who people and labels are that a change names by number. */
@Injectable()
export class HookChanges {
  constructor(
    private readonly records: HookRecords,
    private readonly labels: LabelsOfHooks,
    private readonly assignees: AssigneesRepository,
  ) {}

  async told(changes: Changes): Promise<Changes> {
    const { assignees, labels, ...plain } = changes;
    return {
      ...plain,
      ...(assignees && {
        assignees: {
          previous: await this.people(numbersOf(assignees.previous)),
          current: await this.people(numbersOf(assignees.current)),
        },
      }),
      ...(labels && {
        labels: {
          previous: await this.labelled(numbersOf(labels.previous)),
          current: await this.labelled(numbersOf(labels.current)),
        },
      }),
    };
  }

  /** The field of that name, which a call has only where it is assigned to somebody. */
  async assigneesOf(mergeRequestId: number): Promise<object> {
    const ids = await this.assignees.of(mergeRequestId);
    return ids.length === 0 ? {} : { assignees: await this.people(ids) };
  }

  private async people(ids: readonly number[]) {
    const found = await Promise.all(ids.map((id) => this.records.user(id)));
    return found.filter((user) => user !== null);
  }

  private async labelled(ids: readonly number[]) {
    return (await this.labels.byIds(ids)).map(labelJson);
  }
}

const numbersOf = (value: unknown): number[] =>
  Array.isArray(value) ? value.filter((one): one is number => typeof one === 'number') : [];

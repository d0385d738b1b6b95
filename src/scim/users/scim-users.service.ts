import { DomainError } from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import { Injectable } from '@nestjs/common';
import type { ScimGroup } from '../gate/scim-group';
import type { ScimUser, ScimUserList } from './scim-user';
import type { ListScimUsers } from './scim-users.params';
import { ScimUsersRepository } from './scim-users.repository';
import { invalidFilter, readFilter } from './user-filter';

/** The reference's page, and the most that one answer holds. */
const DEFAULT_COUNT = 20;
const MAX_COUNT = 100;
/** Beyond any group: further than this nobody pages. */
const MAX_START = 1_000_000;

/** Users of a group as its identity provider looks them up. */
@Injectable()
export class ScimUsers {
  constructor(private readonly users: ScimUsersRepository) {}

  /** Whom the filter means, at most one; all of them in pages for who asks for pages alone. Throws `scim` without either. */
  async list(group: ScimGroup, params: ParamsOf<typeof ListScimUsers>): Promise<ScimUserList> {
    const { filter, startIndex, count } = params;
    const start = Math.min(Math.max(startIndex ?? 1, 1), MAX_START);
    const limit = Math.min(Math.max(count ?? DEFAULT_COUNT, 0), MAX_COUNT);
    if (filter !== undefined && filter.trim() !== '') return this.filtered(group, filter, start, limit);
    if (startIndex === undefined && count === undefined) throw invalidFilter('Missing filter params');
    const { users, total } = await this.users.page(group, start - 1, limit);
    return { totalResults: total, itemsPerPage: users.length, startIndex: start, users };
  }

  /** Throws 404 for somebody whom the provider has not brought. */
  async show(group: ScimGroup, id: string): Promise<ScimUser> {
    const found = await this.users.find(group, 'id', id);
    if (!found) throw unknownResource(id);
    return found;
  }

  private async filtered(
    group: ScimGroup,
    text: string,
    start: number,
    limit: number,
  ): Promise<ScimUserList> {
    const { key, value, matches } = readFilter(text);
    const found = await this.users.find(group, key, value);
    const matching = found && matches(found) ? [found] : [];
    const users = matching.slice(start - 1, start - 1 + limit);
    return { totalResults: matching.length, itemsPerPage: limit, startIndex: start, users };
  }
}

export const unknownResource = (id: string): DomainError =>
  new DomainError({ kind: 'not_found', message: `Resource ${id} not found` });

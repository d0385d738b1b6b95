import { Database, uniqueViolation } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { NamespacesRepository } from '../namespaces/namespaces.repository';
import { UsersRepository } from './users.repository';

const NAME = 'ghost';
const MOST_NAMES = 1000;

/** The one account that keeps what deleted people wrote. */
@Injectable()
export class GhostUsers {
  constructor(
    private readonly database: Database,
    private readonly users: UsersRepository,
    private readonly namespaces: NamespacesRepository,
  ) {}

  /** Its id; it is made when it is first needed, once, however many nodes need it at the same moment. */
  async require(): Promise<number> {
    for (let attempt = 1; ; attempt += 1) {
      const known = await this.users.findGhost();
      if (known !== null) return known;
      try {
        return await this.database.transaction(() => this.create());
      } catch (error) {
        // Somebody has made it, or taken the name, in this moment.
        if (uniqueViolation(error) === null || attempt >= MOST_NAMES) throw error;
      }
    }
  }

  private async create(): Promise<number> {
    const username = await this.freeName();
    const id = await this.users.insert({
      username,
      name: 'Ghost User',
      email: `${username}@localhost`,
      kind: 'ghost',
      bio: 'This account keeps what deleted users have written.',
      confirmedAt: new Date(),
      canCreateGroup: false,
      projectsLimit: 0,
    });
    await this.namespaces.insert(
      { kind: 'user', ownerId: id, name: 'Ghost User', path: username, visibility: 'private' },
      null,
    );
    return id;
  }

  private async freeName(): Promise<string> {
    for (let number = 0; number < MOST_NAMES; number += 1) {
      const name = number === 0 ? NAME : `${NAME}${number}`;
      const isTaken =
        (await this.namespaces.pathIsTaken(name)) || (await this.users.emailIsTaken(`${name}@localhost`));
      if (!isTaken) return name;
    }
    throw new Error(`no name is left for the ghost: ${NAME} and ${MOST_NAMES} others are taken`);
  }
}

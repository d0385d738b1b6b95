import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import { Users } from '../users/users.service';
import type { CustomAttribute } from './custom-attribute';
import { CustomAttributes, type AttributeOwner } from './custom-attributes.service';

/** Attributes of the users that paths name. All of it throws "404 User Not Found" for nobody. */
@Injectable()
export class UserAttributes {
  constructor(
    private readonly attributes: CustomAttributes,
    private readonly users: Users,
  ) {}

  async list(userId: string, page: PageRequest): Promise<Page<CustomAttribute>> {
    return this.attributes.list(await this.owner(userId), page);
  }

  async show(userId: string, key: string): Promise<CustomAttribute> {
    return this.attributes.show(await this.owner(userId), key);
  }

  async set(userId: string, { key, value }: CustomAttribute): Promise<CustomAttribute> {
    return this.attributes.set(await this.owner(userId), { key, value });
  }

  async remove(userId: string, key: string): Promise<void> {
    await this.attributes.remove(await this.owner(userId), key);
  }

  private async owner(userId: string): Promise<AttributeOwner> {
    const { id } = await this.users.get(userId);
    return { kind: 'user', id };
  }
}

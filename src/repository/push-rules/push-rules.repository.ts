import { Database, uniqueViolation } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { PushRule } from './push-rule.entity';

/** What can be set; what is left out stays as it was, or has its default in a new rule. */
export type PushRuleColumns = Partial<Omit<PushRule, 'id' | 'projectId' | 'createdAt' | 'updatedAt'>>;

@Injectable()
export class PushRulesRepository {
  constructor(private readonly database: Database) {}

  find(projectId: number): Promise<PushRule | null> {
    return this.database.manager.findOneBy(PushRule, { projectId });
  }

  /** False where the project has a rule already. */
  async insert(projectId: number, columns: PushRuleColumns): Promise<boolean> {
    try {
      await this.database.manager.insert(PushRule, { projectId, ...columns });
      return true;
    } catch (error) {
      if (uniqueViolation(error) === null) throw error;
      return false;
    }
  }

  async update(projectId: number, columns: PushRuleColumns): Promise<void> {
    await this.database.manager.update(PushRule, { projectId }, { ...columns, updatedAt: new Date() });
  }

  async remove(id: number): Promise<void> {
    await this.database.manager.delete(PushRule, { id });
  }
}

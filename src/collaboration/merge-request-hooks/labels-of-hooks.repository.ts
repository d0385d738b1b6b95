import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { Label } from '../../planning/planning.api';

/** Labels that something had or has. */
@Injectable()
export class LabelsOfHooks {
  constructor(private readonly database: Database) {}

  /** By title; those that are gone are left out. */
  byIds(ids: readonly number[]): Promise<Label[]> {
    if (ids.length === 0) return Promise.resolve([]);
    return this.database.manager.find(Label, { where: { id: In([...ids]) }, order: { title: 'ASC' } });
  }
}

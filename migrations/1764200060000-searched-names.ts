import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Names that people search: with the usual hundred samples the planner now and then takes a rare text for a frequent one,
 * and reads a whole table in the list's order for the few names that have it.
 */
const SEARCHED = ['users_search', 'namespaces_search', 'projects_search'];
const SAMPLES = 1_000;
const USUAL = -1;

export class SearchedNames1764200060000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await sample(queryRunner, SAMPLES);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await sample(queryRunner, USUAL);
  }
}

/** The first two columns of each are names. */
async function sample(queryRunner: QueryRunner, samples: number): Promise<void> {
  for (const index of SEARCHED)
    for (const column of [1, 2])
      await queryRunner.query(`ALTER INDEX ${index} ALTER COLUMN ${column} SET STATISTICS ${samples}`);
}

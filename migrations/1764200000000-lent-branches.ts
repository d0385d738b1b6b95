import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Branches that open merge requests lend to whoever may merge them are looked up by the project that they are in. What
 * is left to be done after a merge is known from its note: issues to be closed, a branch to be removed.
 */
export class LentBranches1764200000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE INDEX merge_requests_lending ON merge_requests (source_project_id, id)
        WHERE allow_collaboration AND state = 'opened';
      ALTER TABLE merge_attempts ADD COLUMN closed_issues boolean NOT NULL DEFAULT false;
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE merge_attempts DROP COLUMN closed_issues;
      DROP INDEX merge_requests_lending;
    `);
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The wiki of a project is verified as its repository is. */
export class Wikis1764100200000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE repository_checks
        ADD COLUMN kind text NOT NULL DEFAULT 'repository' CHECK (kind IN ('repository', 'wiki')),
        DROP CONSTRAINT repository_checks_pkey,
        ADD PRIMARY KEY (project_id, kind);
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DELETE FROM repository_checks WHERE kind = 'wiki';
      ALTER TABLE repository_checks
        DROP CONSTRAINT repository_checks_pkey,
        DROP COLUMN kind,
        ADD PRIMARY KEY (project_id);
    `);
  }
}

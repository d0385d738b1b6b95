import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A commit, too, is told once of each text that names it. */
export class MentionsOnCommits1764200070000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE UNIQUE INDEX notes_mention_on_commit ON notes (commit_id, from_key)
        WHERE commit_id IS NOT NULL AND system_action = 'cross_reference'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX notes_mention_on_commit');
  }
}

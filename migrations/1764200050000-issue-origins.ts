import type { MigrationInterface, QueryRunner } from 'typeorm';

/** With what issues were sent, and from where: for administrators, and gone with the issue or its author. */
export class IssueOrigins1764200050000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE issue_origins (
        issue_id bigint PRIMARY KEY REFERENCES issues ON DELETE CASCADE,
        author_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
        user_agent text NOT NULL,
        ip_address text NOT NULL
      );
      CREATE INDEX issue_origins_of_author ON issue_origins (author_id);
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE issue_origins');
  }
}

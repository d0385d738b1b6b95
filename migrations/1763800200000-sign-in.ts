import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Mails that wait for delivery, failed sign-ins of all nodes together, and the way back to a forgotten password. */
export class SignIn1763800200000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE mails (
        id uuid PRIMARY KEY,
        recipient text NOT NULL,
        subject text NOT NULL,
        text text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX mails_age ON mails (created_at);

      CREATE TABLE sign_in_failures (
        account text PRIMARY KEY,
        failures integer NOT NULL,
        forgotten_at timestamptz NOT NULL
      );
      CREATE INDEX sign_in_failures_age ON sign_in_failures (forgotten_at);

      CREATE UNIQUE INDEX users_reset_password ON users (reset_password_digest)
        WHERE reset_password_digest IS NOT NULL;
      CREATE INDEX access_tokens_sessions ON access_tokens (expires_at) WHERE kind = 'session';
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP INDEX access_tokens_sessions, users_reset_password;
      DROP TABLE sign_in_failures, mails;
    `);
  }
}

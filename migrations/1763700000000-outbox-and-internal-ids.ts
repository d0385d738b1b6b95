import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Domain events waiting for their subscribers, the numbers that records have within a project or group,
 * and which period of each recurring job was taken last.
 */
export class OutboxAndInternalIds1763700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE outbox_events (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name text NOT NULL,
        payload jsonb NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX outbox_events_created_at ON outbox_events USING brin (created_at);

      CREATE TABLE internal_ids (
        scope_kind text NOT NULL,
        scope_id bigint NOT NULL,
        usage text NOT NULL,
        last_value bigint NOT NULL CHECK (last_value > 0),
        PRIMARY KEY (scope_kind, scope_id, usage)
      ) WITH (fillfactor = 50);

      CREATE TABLE job_periods (
        queue text PRIMARY KEY,
        period bigint NOT NULL
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE job_periods; DROP TABLE internal_ids; DROP TABLE outbox_events;');
  }
}

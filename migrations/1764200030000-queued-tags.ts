import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tells which tags queued jobs have, however many jobs there are. */
export class QueuedTags1764200030000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE INDEX job_queue_tags ON job_queue (tag_list)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX job_queue_tags');
  }
}

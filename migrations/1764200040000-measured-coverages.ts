import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Pipelines counted what measured no coverage as the largest one that there is. */
export class MeasuredCoverages1764200040000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `UPDATE pipelines SET coverage = (
         SELECT avg(greatest(least(status.coverage, 1e100), -1e100)) FROM commit_statuses status
         WHERE status.pipeline_id = pipelines.id AND NOT status.retried AND status.coverage IS NOT NULL)
       WHERE coverage > 1e90`,
    );
  }

  /** There is no way back, nor a reason. */
  async down(): Promise<void> {}
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = `
ALTER TABLE projects
  ADD COLUMN mirror boolean NOT NULL DEFAULT false,
  ADD COLUMN mirror_user_id bigint REFERENCES users ON DELETE SET NULL,
  ADD COLUMN mirror_trigger_builds boolean NOT NULL DEFAULT false,
  ADD COLUMN only_mirror_protected_branches boolean NOT NULL DEFAULT false,
  ADD COLUMN mirror_overwrites_diverged_branches boolean NOT NULL DEFAULT false;
CREATE INDEX projects_of_mirror_user ON projects (mirror_user_id) WHERE mirror_user_id IS NOT NULL;

CREATE TABLE project_remotes (
  project_id bigint PRIMARY KEY REFERENCES projects ON DELETE CASCADE,
  sealed_url bytea NOT NULL,
  is_imported boolean NOT NULL,
  runner uuid,
  runs_until timestamptz,
  retry_count integer NOT NULL DEFAULT 0,
  last_update_at timestamptz,
  last_successful_update_at timestamptz,
  next_update_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX project_remotes_due ON project_remotes (next_update_at, project_id) WHERE next_update_at IS NOT NULL;

CREATE TABLE project_housekeepings (
  project_id bigint PRIMARY KEY REFERENCES projects ON DELETE CASCADE,
  begun_at timestamptz NOT NULL
);
`;

/** Where projects are imported or mirrored from, and when they were last asked to be packed. */
export class Mirrors1763900400000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(UP);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP TABLE project_housekeepings, project_remotes;
      ALTER TABLE projects DROP COLUMN mirror, DROP COLUMN mirror_user_id, DROP COLUMN mirror_trigger_builds,
        DROP COLUMN only_mirror_protected_branches, DROP COLUMN mirror_overwrites_diverged_branches;
    `);
  }
}

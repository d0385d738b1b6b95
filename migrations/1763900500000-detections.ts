import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = `
CREATE TABLE project_languages (
  project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
  name text NOT NULL,
  key text NOT NULL GENERATED ALWAYS AS (lower(name)) STORED,
  bytes bigint NOT NULL CHECK (bytes > 0),
  PRIMARY KEY (project_id, name)
);
CREATE INDEX project_languages_by_key ON project_languages (key, project_id);
ALTER TABLE project_statistics ADD COLUMN languages_tip text;

CREATE TABLE repository_checks (
  project_id bigint PRIMARY KEY REFERENCES projects ON DELETE CASCADE,
  due_at timestamptz NOT NULL DEFAULT now(),
  checked_at timestamptz,
  checksum bytea,
  failure text
);
CREATE INDEX repository_checks_due ON repository_checks (due_at);
CREATE INDEX repository_checks_failed ON repository_checks (project_id) WHERE failure IS NOT NULL;
INSERT INTO repository_checks (project_id) SELECT id FROM projects WHERE default_branch IS NOT NULL;

DROP INDEX projects_open, projects_created_at, projects_last_activity_at, projects_order_by_name, projects_order_by_path,
  projects_order_by_updated_at, projects_public;
CREATE INDEX projects_by_id ON projects (id) INCLUDE (namespace_id, visibility) WHERE NOT pending_delete;
CREATE INDEX projects_by_created_at ON projects (created_at, id) INCLUDE (namespace_id, visibility)
  WHERE NOT pending_delete;
CREATE INDEX projects_by_last_activity_at ON projects (last_activity_at, id) INCLUDE (namespace_id, visibility)
  WHERE NOT pending_delete;
CREATE INDEX projects_by_updated_at ON projects (updated_at, id) INCLUDE (namespace_id, visibility)
  WHERE NOT pending_delete;
CREATE INDEX projects_by_name ON projects (name, id) INCLUDE (namespace_id, visibility) WHERE NOT pending_delete;
CREATE INDEX projects_by_path ON projects (path, id) INCLUDE (namespace_id, visibility) WHERE NOT pending_delete;
CREATE INDEX projects_public ON projects (created_at, id) INCLUDE (namespace_id)
  WHERE visibility = 'public' AND NOT pending_delete;
CREATE INDEX projects_open ON projects (id) INCLUDE (namespace_id, visibility)
  WHERE visibility IN ('public', 'internal') AND NOT pending_delete;
CREATE INDEX namespaces_gone ON namespaces (id) WHERE pending_delete;
`;

const DOWN = `
DROP INDEX namespaces_gone, projects_open, projects_public, projects_by_path, projects_by_name, projects_by_updated_at,
  projects_by_last_activity_at, projects_by_created_at, projects_by_id;
CREATE INDEX projects_created_at ON projects (created_at, id);
CREATE INDEX projects_last_activity_at ON projects (last_activity_at, id);
CREATE INDEX projects_order_by_name ON projects (name, id);
CREATE INDEX projects_order_by_path ON projects (path, id);
CREATE INDEX projects_order_by_updated_at ON projects (updated_at, id);
CREATE INDEX projects_public ON projects (created_at, id) WHERE visibility = 'public' AND NOT pending_delete;
CREATE INDEX projects_open ON projects (id) WHERE visibility IN ('public', 'internal') AND NOT pending_delete;
DROP TABLE repository_checks, project_languages;
ALTER TABLE project_statistics DROP COLUMN languages_tip;
`;

/**
 * What is found out about repositories: their languages, and whether they are whole. Lists of projects walk indexes
 * that hold all a list asks of a row, so that deep pages need not look at the rows they pass over.
 */
export class Detections1763900500000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(UP);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(DOWN);
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = `
CREATE INDEX namespaces_order_by_id ON namespaces (id) WHERE kind = 'group';
CREATE INDEX namespaces_children_by_name ON namespaces (parent_id, name, id) WHERE kind = 'group';
CREATE INDEX namespaces_children_by_path ON namespaces (parent_id, path, id) WHERE kind = 'group';
CREATE INDEX namespaces_children_by_id ON namespaces (parent_id, id) WHERE kind = 'group';
CREATE INDEX namespaces_pending_delete ON namespaces (id) WHERE pending_delete;

UPDATE namespaces SET file_template_project_id = NULL
  WHERE file_template_project_id IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM projects WHERE projects.id = file_template_project_id);
ALTER TABLE namespaces ADD CONSTRAINT namespaces_file_template_project
  FOREIGN KEY (file_template_project_id) REFERENCES projects ON DELETE SET NULL;
CREATE INDEX namespaces_file_template ON namespaces (file_template_project_id)
  WHERE file_template_project_id IS NOT NULL;

CREATE INDEX projects_open_in_namespace ON projects (namespace_id) WHERE visibility <> 'private';
CREATE INDEX protected_branch_access_of_group ON protected_branch_access (group_id) WHERE group_id IS NOT NULL;

CREATE TABLE project_stars (
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  project_id bigint NOT NULL REFERENCES projects ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, project_id)
);
CREATE INDEX project_stars_of_project ON project_stars (project_id);
`;

/** Orders of lists of groups, what the removal of a group looks up, and who has starred which project. */
export class Groups1763800400000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(UP);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP TABLE project_stars;
      DROP INDEX protected_branch_access_of_group, projects_open_in_namespace, namespaces_file_template,
        namespaces_pending_delete, namespaces_children_by_id, namespaces_children_by_path,
        namespaces_children_by_name, namespaces_order_by_id;
      ALTER TABLE namespaces DROP CONSTRAINT namespaces_file_template_project;
    `);
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who manages a project or group, who asks for access to it, and groups and projects that everybody sees. */
export class Members1763800500000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE INDEX members_managing ON members (source_kind, source_id, access_level DESC, user_id)
        WHERE access_level >= 40;
      CREATE INDEX members_requesting ON members (source_kind, source_id, id) WHERE requested_at IS NOT NULL;
      CREATE INDEX namespaces_public ON namespaces (id) WHERE kind = 'group' AND visibility = 'public';
      CREATE INDEX namespaces_open ON namespaces (id) WHERE kind = 'group' AND visibility IN ('public', 'internal');
      CREATE INDEX projects_open ON projects (id)
        WHERE visibility IN ('public', 'internal') AND NOT pending_delete;
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'DROP INDEX projects_open, namespaces_open, namespaces_public, members_requesting, members_managing',
    );
  }
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Substring search over users and namespaces, the orders of their lists, and unique names among sibling groups. */
export class IdentitySearch1763700200000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE EXTENSION IF NOT EXISTS pg_trgm;
      CREATE INDEX users_search ON users USING gin (lower(username) gin_trgm_ops, lower(name) gin_trgm_ops);
      CREATE INDEX users_order_by_name ON users (name, id);
      CREATE INDEX users_order_by_username ON users (username, id);
      CREATE INDEX users_order_by_updated_at ON users (updated_at, id);
      CREATE INDEX namespaces_search ON namespaces USING gin (lower(name) gin_trgm_ops, lower(path) gin_trgm_ops);
      CREATE INDEX namespaces_order_by_name ON namespaces (name, id) WHERE kind = 'group';
      CREATE INDEX namespaces_order_by_path ON namespaces (path, id) WHERE kind = 'group';
      CREATE UNIQUE INDEX namespaces_group_name ON namespaces (coalesce(parent_id, 0), name) WHERE kind = 'group';
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP INDEX users_search, users_order_by_name, users_order_by_username, users_order_by_updated_at,
        namespaces_search, namespaces_order_by_name, namespaces_order_by_path, namespaces_group_name;
    `);
  }
}

import { Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { Release } from './release.entity';

/** Releases by the tag they belong to; a tag has one at most. */
@Injectable()
export class ReleasesRepository {
  constructor(private readonly database: Database) {}

  async ofTags(projectId: number, tags: readonly string[]): Promise<Map<string, Release>> {
    if (tags.length === 0) return new Map();
    const found = await this.database.manager.find(Release, { where: { projectId, tag: In(tags) } });
    return new Map(found.map((release) => [release.tag, release]));
  }

  /** False when the tag has a release already. */
  async add(release: Pick<Release, 'projectId' | 'tag' | 'description' | 'authorId'>): Promise<boolean> {
    const made: unknown[] = await this.database.manager.query(
      `INSERT INTO releases (project_id, tag, description, author_id) VALUES ($1, $2, $3, $4)
       ON CONFLICT (project_id, tag) DO NOTHING RETURNING id`,
      [release.projectId, release.tag, release.description, release.authorId],
    );
    return made.length > 0;
  }

  /** False when the tag has no release. */
  async describe(projectId: number, tag: string, description: string): Promise<boolean> {
    const { affected } = await this.database.manager.update(Release, { projectId, tag }, { description });
    return affected === 1;
  }

  async removeOf(projectId: number, tags: readonly string[]): Promise<void> {
    await this.database.manager.delete(Release, { projectId, tag: In(tags) });
  }
}

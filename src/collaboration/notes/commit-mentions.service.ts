import { Urls } from '#libs/presenting';
import { Injectable } from '@nestjs/common';
import { keyOf, parseReferences, type Reference } from '../../planning/planning.api';
import type { Project } from '../../repository/repository.api';
import { CrossReferences } from './cross-references.service';
import { mentionedInCommit } from './mention-wording';
import { SystemNotesRepository } from './system-notes.repository';

/** A text that belongs to a commit: its message, or a remark on it. */
export interface CommitText {
  readonly sha: string;
  readonly text: string;
  /** Who is asked whether they see what the text names. */
  readonly authorId: number;
  /** What of it is told otherwise. */
  readonly except?: readonly Reference[];
}

/** Leaves "mentioned in commit" on what the texts of commits name. */
@Injectable()
export class CommitMentions {
  constructor(
    private readonly references: CrossReferences,
    private readonly systemNotes: SystemNotesRepository,
    private readonly urls: Urls,
  ) {}

  async note(project: Project, { sha, text, authorId, except = [] }: CommitText): Promise<void> {
    const passedOver = new Set(except.map(keyOf));
    const references = parseReferences(text, this.urls).filter((each) => !passedOver.has(keyOf(each)));
    if (references.length === 0) return;
    const home = { project: project.fullPath, namespace: project.namespace.fullPath };
    const source = {
      projectId: project.id,
      namespaceId: project.namespaceId,
      fullPath: home.project,
      namespacePath: home.namespace,
    };
    const about = { kind: 'Commit', projectId: project.id, sha } as const;
    const targets = await this.references.find(authorId, references, home);
    await this.systemNotes.mention(
      targets.map((target) => ({
        on: target,
        authorId,
        body: mentionedInCommit(sha, source, target),
        about,
      })),
    );
    await this.references.referToCommits(
      { about, source: { ...source, iid: null }, authorId },
      references,
      home,
    );
  }
}

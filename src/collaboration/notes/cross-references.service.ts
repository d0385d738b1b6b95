import { Jobs } from '#libs/jobs';
import { Urls } from '#libs/presenting';
import { Injectable } from '@nestjs/common';
import { Users } from '../../identity/identity.api';
import {
  Mentions,
  parseReferences,
  pathIn,
  type Home,
  type NoteableKind,
  type NumberedKind,
  type Reference,
  type WrittenText,
} from '../../planning/planning.api';
import { commitReferences, type CommitReferencesJob } from './commit-references.queue';
import { mentionedIn } from './mention-wording';
import { MentionTargets, type MentionTarget, type NamedThing } from './mention-targets.repository';
import { SystemNotesRepository } from './system-notes.repository';

const KIND_OF: Record<NumberedKind, NoteableKind> = {
  issue: 'Issue',
  merge_request: 'MergeRequest',
  snippet: 'Snippet',
  epic: 'Epic',
};

/** Leaves "mentioned in issue #1" on whatever a text names, as far as its author may see that. */
@Injectable()
export class CrossReferences extends Mentions {
  constructor(
    private readonly targets: MentionTargets,
    private readonly systemNotes: SystemNotesRepository,
    private readonly users: Users,
    private readonly urls: Urls,
    private readonly jobs: Jobs,
  ) {
    super();
  }

  async note({ in: place, projectId, authorId, text }: WrittenText): Promise<void> {
    const references = parseReferences(text, this.urls);
    if (references.length === 0) return;
    const source = await this.targets.source(place);
    if (!source) return;
    const home = { project: projectId === null ? null : source.fullPath, namespace: source.namespacePath };
    const found = await this.find(authorId, references, home);
    const others = found.filter(({ kind, id }) => kind !== place.kind || id !== place.id);
    await this.systemNotes.mention(
      others.map((target) => ({
        on: target,
        authorId,
        body: mentionedIn(place.kind, source, target),
        about: place,
      })),
    );
    await this.referToCommits({ about: place, source, authorId }, references, home);
  }

  /** Has the commits among the references told of it, once the transaction at hand is through. */
  async referToCommits(
    job: Omit<CommitReferencesJob, 'commits'>,
    references: readonly Reference[],
    home: Home,
  ): Promise<void> {
    const commits = references.flatMap((reference) => {
      const path = pathIn(reference, home);
      return reference.kind === 'commit' && path !== null ? [{ path, sha: reference.sha }] : [];
    });
    if (commits.length > 0) await this.jobs.enqueue(commitReferences, { ...job, commits });
  }

  /** What the references name that the author may see; nothing for an author who is gone. */
  async find(authorId: number, references: readonly Reference[], home: Home): Promise<MentionTarget[]> {
    const named = references.flatMap((reference) => namedThing(reference, home) ?? []);
    const author = named.length > 0 ? await this.users.find(authorId) : null;
    return author ? this.targets.find(author, named) : [];
  }
}

function namedThing(reference: Reference, home: Home): NamedThing | null {
  const path = pathIn(reference, home);
  return reference.kind === 'commit' || path === null
    ? null
    : { kind: KIND_OF[reference.kind], path, iid: reference.iid };
}

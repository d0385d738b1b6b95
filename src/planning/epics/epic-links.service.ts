import { signedIn, type Actor } from '#libs/access';
import { notFound } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import type { Project } from '../../repository/repository.api';
import type { Issue } from '../issues/issue.entity';
import { placeOfProject } from '../labels/place';
import { PlaceLocks } from '../labels/place-locks.repository';
import type { NoteableRef } from '../noteables/noteable';
import { SystemNotes, type SystemNote } from '../noteables/system-notes';
import type { EpicIssue } from './epic-issue.entity';
import { EpicIssuesRepository } from './epic-issues.repository';
import { epicReference, issueReference, type PlacedEpic } from './epic-references';

/** An issue with the project that it is in. */
export interface PlacedIssue {
  readonly issue: Pick<Issue, 'id' | 'iid'>;
  readonly project: Pick<Project, 'namespaceId' | 'path' | 'fullPath'>;
}

/**
 * Puts issues into epics and takes them out again, and tells both of it. Rights are looked at before. Call everything in
 * a transaction that holds the issue.
 */
@Injectable()
export class EpicLinks {
  constructor(
    private readonly links: EpicIssuesRepository,
    private readonly notes: SystemNotes,
    private readonly places: PlaceLocks,
  ) {}

  /** Call it before the issue is held. Throws "404 Not found" where its project has just been moved to other groups. */
  keepPlace(project: Pick<Project, 'id' | 'namespaceId'>): Promise<void> {
    return this.places.keepHere(placeOfProject(project));
  }

  /** Null where the issue is in the epic already. Throws "404 Not found" for an epic that has just been removed. */
  async link(actor: Actor, placed: PlacedEpic, issue: PlacedIssue): Promise<EpicIssue | null> {
    const former = await this.links.ofIssue(issue.issue.id);
    if (former?.epicId === placed.epic.id) return null;
    const epicIds = [placed.epic.id, ...(former ? [former.epicId] : [])];
    const held = await this.links.hold(epicIds);
    if (!held.has(placed.epic.id)) throw notFound();
    const from = former && (await this.links.placed(former.epicId));
    const link = await this.links.link(placed.epic.id, issue.issue.id);
    const by = signedIn(actor).id;
    await this.notes.record(from ? movedNotes(by, from, placed, issue) : addedNotes(by, placed, issue));
    return link;
  }

  async unlink(actor: Actor, placed: PlacedEpic, issue: PlacedIssue, link: EpicIssue): Promise<void> {
    await this.links.unlink(link.id);
    await this.notes.record(removedNotes(signedIn(actor).id, placed, issue));
  }
}

const onEpic = ({ epic }: PlacedEpic): NoteableRef => ({ kind: 'Epic', id: epic.id });
const onIssue = ({ issue }: PlacedIssue): NoteableRef => ({ kind: 'Issue', id: issue.id });

const issueIn = ({ issue, project }: PlacedIssue, { epic }: PlacedEpic): string =>
  issueReference(issue, project, epic.groupId);

const epicIn = (placed: PlacedEpic, { project }: PlacedIssue): string =>
  epicReference(placed, project.namespaceId);

/** On the epic and on the issue, each naming the other. */
function pair(
  authorId: number,
  placed: PlacedEpic,
  issue: PlacedIssue,
  told: { onEpic: readonly [string, string]; onIssue: readonly [string, string] },
): SystemNote[] {
  const [[epicAction, epicBody], [issueAction, issueBody]] = [told.onEpic, told.onIssue];
  return [
    { on: onEpic(placed), authorId, action: epicAction, body: epicBody, about: onIssue(issue) },
    { on: onIssue(issue), authorId, action: issueAction, body: issueBody, about: onEpic(placed) },
  ];
}

const addedNotes = (authorId: number, placed: PlacedEpic, issue: PlacedIssue): SystemNote[] =>
  pair(authorId, placed, issue, {
    onEpic: ['epic_issue_added', `added issue ${issueIn(issue, placed)}`],
    onIssue: ['issue_added_to_epic', `added to epic ${epicIn(placed, issue)}`],
  });

const removedNotes = (authorId: number, placed: PlacedEpic, issue: PlacedIssue): SystemNote[] =>
  pair(authorId, placed, issue, {
    onEpic: ['epic_issue_removed', `removed issue ${issueIn(issue, placed)}`],
    onIssue: ['issue_removed_from_epic', `removed from epic ${epicIn(placed, issue)}`],
  });

function movedNotes(authorId: number, from: PlacedEpic, to: PlacedEpic, issue: PlacedIssue): SystemNote[] {
  const away = `moved issue ${issueIn(issue, from)} to epic ${epicReference(to, from.epic.groupId)}`;
  const here = `added issue ${issueIn(issue, to)} from epic ${epicReference(from, to.epic.groupId)}`;
  const left = { on: onEpic(from), authorId, action: 'epic_issue_moved', body: away, about: onIssue(issue) };
  return [
    left,
    ...pair(authorId, to, issue, {
      onEpic: ['epic_issue_moved', here],
      onIssue: ['issue_changed_epic', `changed epic to ${epicIn(to, issue)}`],
    }),
  ];
}

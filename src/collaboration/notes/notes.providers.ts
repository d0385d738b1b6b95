import { CommitDiscussionsController } from './commit-discussions.controller';
import { CommitHookThings } from './commit-hook-things.service';
import { CommitMentions } from './commit-mentions.service';
import { CrossReferences } from './cross-references.service';
import { DiffPositions } from './diff-positions.service';
import { DiffVersions } from './diff-versions.repository';
import { DiscussedCommitsRepository } from './discussed-commits.repository';
import { DiscussedCommits } from './discussed-commits.service';
import { DiscussedThings } from './discussed-things.service';
import { DiscussionNotes } from './discussion-notes.service';
import { DiscussionSettling } from './discussion-settling.service';
import { DiscussionsRepository } from './discussions.repository';
import { Discussions } from './discussions.service';
import { EpicDiscussionsController } from './epic-discussions.controller';
import { EpicNotesController } from './epic-notes.controller';
import { HandedOverDiscussions } from './handed-over-discussions.service';
import { IssueDiscussionsController } from './issue-discussions.controller';
import { IssueNotesController } from './issue-notes.controller';
import { MentionTargets } from './mention-targets.repository';
import { MergeRequestDiscussionsController } from './merge-request-discussions.controller';
import { MergeRequestNotesController } from './merge-request-notes.controller';
import { NamedCommits } from './named-commits.service';
import { NewestNotes } from './newest-notes.repository';
import { NewNotes } from './new-notes.service';
import { NoteCommitReferences } from './note-commit-references.job';
import { NoteContributions } from './note-contributions.repository';
import { NoteCounts } from './note-counts.repository';
import { NoteHookEvent } from './note-hook-event';
import { NoteHookThings } from './note-hook-things.service';
import { NoteLists } from './note-lists.repository';
import { NoteMentions } from './note-mentions.repository';
import { NoteMoves } from './note-moves.repository';
import { NoteTexts } from './note-texts.service';
import { NoteWriting } from './note-writing.service';
import { Note } from './note.entity';
import { NotesRepository } from './notes.repository';
import { Notes } from './notes.service';
import { ProjectActivity } from './project-activity.repository';
import { PushedMentions } from './pushed-mentions.subscriber';
import { QuickActions } from './quick-actions.service';
import { ShownNotes } from './shown-notes.service';
import { SnippetDiscussionsController } from './snippet-discussions.controller';
import { SnippetNotesController } from './snippet-notes.controller';
import { SystemNotesRepository } from './system-notes.repository';
import { UnresolvedDiscussions } from './unresolved-discussions.service';

/** Notes, as the collaboration module takes them up. */
export const NOTES = {
  entities: [Note],
  controllers: [
    CommitDiscussionsController,
    EpicDiscussionsController,
    EpicNotesController,
    IssueDiscussionsController,
    IssueNotesController,
    MergeRequestDiscussionsController,
    MergeRequestNotesController,
    SnippetDiscussionsController,
    SnippetNotesController,
  ],
  /** The ports of planning, what merging asks, and what is deleted with a user. */
  published: [
    CommitMentions,
    CrossReferences,
    HandedOverDiscussions,
    NoteContributions,
    NoteMoves,
    SystemNotesRepository,
    UnresolvedDiscussions,
  ],
  providers: [
    CommitHookThings,
    DiscussedCommits,
    DiscussedCommitsRepository,
    DiffPositions,
    DiffVersions,
    DiscussedThings,
    DiscussionNotes,
    DiscussionSettling,
    Discussions,
    DiscussionsRepository,
    MentionTargets,
    NamedCommits,
    NewNotes,
    NewestNotes,
    NoteCommitReferences,
    NoteCounts,
    NoteHookEvent,
    NoteHookThings,
    NoteLists,
    NoteMentions,
    NoteTexts,
    NoteWriting,
    Notes,
    NotesRepository,
    ProjectActivity,
    PushedMentions,
    QuickActions,
    ShownNotes,
  ],
} as const;

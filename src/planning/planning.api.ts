export { NO_VOTES, Awards, type Votes } from './noteables/awards';
export { DiscussionMoves } from './noteables/discussion-moves';
export { Mentions, wordsOf, type WrittenText } from './noteables/mentions';
export { MilestoneBearers } from './noteables/milestone-bearers';
export { NOTEABLE_COLUMN, NOTEABLE_KINDS, type NoteableKind, type NoteableRef } from './noteables/noteable';
export { SystemNotes, type NoteSource, type SystemNote } from './noteables/system-notes';
export { Issue } from './issues/issue.entity';
export { IssueLookup, type FoundIssue } from './issues/issue-lookup.service';
export { readableIssue, type Bind, type IssueViewer } from './issues/readable-issues';
export { ClosingMergeRequests } from './noteables/closing-merge-requests';
export { parseClosed } from './references/parse-closed';
export { parseReferences } from './references/parse-references';
export {
  keyOf,
  pathIn,
  pathOf,
  type Home,
  type NumberedKind,
  type NumberedReference,
  type Reference,
} from './references/reference';
export { NoteTally } from './noteables/note-tally.repository';
export { Label } from './labels/label.entity';
export { labelCondition, labelPriorityOf, wantedLabels, type WantedLabels } from './labels/label-conditions';
export type { LabelledKind, LabelledRef } from './labels/labelled';
export { Labelling, type LabelChange } from './labels/labelling.service';
export { placeOfGroup, placeOfProject, type Place } from './labels/place';
export { Milestone } from './milestones/milestone.entity';
export { MilestoneRecord, presentMilestone } from './milestones/milestone.presenter';
export { Milestones } from './milestones/milestones.service';
export { Epic } from './epics/epic.entity';
export { Epics } from './epics/epics.service';
export { humanDuration, parseDuration } from './issuables/duration';
export { ISSUABLE_TABLES, type IssuableKind, type IssuableRef } from './issuables/issuable-tables';
export { mentionedPeople } from './issuables/mentioned-people';
export { ParticipantsRepository } from './issuables/participants.repository';
export { StateEvents, type StateAction, type StatefulRef } from './issuables/state-events.repository';
export { changedTasks, countTasks } from './issuables/task-list';
export type { TimeStats } from './issuables/time-stats';
export { presentTimeStats, TimeStatsRecord } from './issuables/time-stats.presenter';
export { TimeTracking, type TimeChange } from './issuables/time-tracking.service';
export { markedTitles } from './issuables/title-change';
export { originOf, type RequestOrigin } from './issuables/request-origin';
export { presentRequestOrigin } from './issuables/request-origin.presenter';
export { Subscriptions, type Described } from './subscriptions/subscriptions.service';
export type { SubscribableKind, SubscribableRef } from './subscriptions/subscribable';
export { milestoneCondition } from './milestones/milestone-conditions';
export { LabelEvents } from './label-events/label-events.service';
export { presentLabelEvent } from './label-events/label-event.presenter';
export type { DescribedIssue } from './issues/described-issue';
export { IssueDescriptions } from './issues/issue-descriptions.service';
export { IssueRecord, issueUrl, presentIssue } from './issues/issue.presenter';
export { isAcrossPeople, issuableConditions, type Listed } from './issuables/issuable-conditions';
export { IssuableFilter } from './issuables/issuable-filter.params';
export { OwnMilestones } from './milestones/own-milestones.service';
export { assigneesNote, milestoneNote } from './issues/issue-notes';
export { requireValid } from './issues/issue-rules';
export { ResolvableDiscussions, type TakenOver } from './noteables/resolvable-discussions';
export { IssueStates, type StateChange } from './issues/issue-states.service';
export { IssueClosing, type Closer, type ClosingText } from './issues/issue-closing.service';
export { IssueHookRecords } from './issues/issue-hook-records';
export { IssuesRepository } from './issues/issues.repository';
export { labelJson } from './issues/issue-relations.service';

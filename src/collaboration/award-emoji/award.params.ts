import { params, wire } from '#libs/http';

const id = wire.integer({ min: 1 });
const ON_NOTE = { note_id: id };
const ONE = { award_id: id };
const NEW = { name: wire.text().describe('Of the emoji, without colons') };

export const IssueAwards = params({ issue_iid: id });
export const IssueAward = IssueAwards.extend(ONE);
export const NewIssueAward = IssueAwards.extend(NEW);
export const IssueNoteAwards = IssueAwards.extend(ON_NOTE);
export const IssueNoteAward = IssueNoteAwards.extend(ONE);
export const NewIssueNoteAward = IssueNoteAwards.extend(NEW);

export const MergeRequestAwards = params({ merge_request_iid: id });
export const MergeRequestAward = MergeRequestAwards.extend(ONE);
export const NewMergeRequestAward = MergeRequestAwards.extend(NEW);
export const MergeRequestNoteAwards = MergeRequestAwards.extend(ON_NOTE);
export const MergeRequestNoteAward = MergeRequestNoteAwards.extend(ONE);
export const NewMergeRequestNoteAward = MergeRequestNoteAwards.extend(NEW);

export const SnippetAwards = params({ snippet_id: id });
export const SnippetAward = SnippetAwards.extend(ONE);
export const NewSnippetAward = SnippetAwards.extend(NEW);
export const SnippetNoteAwards = SnippetAwards.extend(ON_NOTE);
export const SnippetNoteAward = SnippetNoteAwards.extend(ONE);
export const NewSnippetNoteAward = SnippetNoteAwards.extend(NEW);

export const EpicAwards = params({ epic_iid: id });
export const EpicAward = EpicAwards.extend(ONE);
export const NewEpicAward = EpicAwards.extend(NEW);
export const EpicNoteAwards = EpicAwards.extend(ON_NOTE);
export const EpicNoteAward = EpicNoteAwards.extend(ONE);
export const NewEpicNoteAward = EpicNoteAwards.extend(NEW);

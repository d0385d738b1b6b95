import { RawAnswer } from '#libs/http';
import type { AppliedActions } from './quick-actions.service';
import type { WrittenNote } from './written-note';

const ACCEPTED = 202;

/** What somebody is answered who sent a note: the reference tells in other words what quick actions did. */
export function writtenAnswer(written: WrittenNote | AppliedActions): WrittenNote | RawAnswer {
  if (!('summary' in written)) return written;
  const record = { commands_changes: { state_event: written.action }, summary: [written.summary] };
  return new RawAnswer(Buffer.from(JSON.stringify(record)), { 'Content-Type': 'application/json' }, ACCEPTED);
}

import { RawAnswer } from '#libs/http';
import type { AppliedActions } from './quick-actions.service';

const ACCEPTED = 202;

/** What somebody is answered who sent a note: the reference tells in other words what quick actions did. */
export function writtenAnswer<T extends object>(written: T | AppliedActions): T | RawAnswer {
  if (!isApplied(written)) return written;
  const record = { commands_changes: { state_event: written.action }, summary: [written.summary] };
  return new RawAnswer(Buffer.from(JSON.stringify(record)), { 'Content-Type': 'application/json' }, ACCEPTED);
}

const isApplied = (written: object): written is AppliedActions => 'summary' in written;

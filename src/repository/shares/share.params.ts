import { params, wire } from '#libs/http';

/** Owners are made by membership alone. */
const LEVELS = [10, 20, 30, 40] as const;

export const CreateShare = params({
  group_id: wire.integer(),
  group_access: wire.oneOfIntegers(LEVELS),
  expires_at: wire.date().nullable().optional().describe('First day on which the share no longer counts'),
});

export const SharePath = params({ group_id: wire.integer() });

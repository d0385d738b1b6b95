import { params, wire } from '#libs/http';

const LEVELS = [10, 20, 30, 40, 50] as const;

export const ListMembers = params({
  query: wire.text().optional().describe('Part of the name or username'),
  user_ids: wire.integers({ max: 1000 }).optional().describe('Only these users'),
});

export const MemberPath = params({
  user_id: wire.integer(),
});

export const AddMember = params({
  user_id: wire.integer(),
  access_level: wire.oneOfIntegers(LEVELS),
  expires_at: wire.date().nullable().optional().describe('Day on which the membership ends'),
});

export const ChangeMember = AddMember;

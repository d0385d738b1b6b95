import { Level, MEMBER_LEVELS } from '#libs/access';
import { params, wire } from '#libs/http';

export const NoParams = params({});

export const RequestPath = params({
  user_id: wire.integer().describe('Who asks for access'),
});

export const ApproveRequest = params({
  user_id: wire.integer().describe('Who asks for access'),
  access_level: wire.oneOfIntegers(MEMBER_LEVELS).default(Level.developer),
});

import { field, presenter } from '#libs/presenting';
import type { RequestOrigin } from './request-origin';

const RequestOriginRecord = field.object({
  user_agent: field.string(),
  ip_address: field.string(),
  akismet_submitted: field.boolean(),
});

/** For administrators; nothing is sent to any service that judges spam. */
export const presentRequestOrigin = presenter(
  RequestOriginRecord,
  ({ userAgent, ipAddress }: RequestOrigin) => ({
    user_agent: userAgent,
    ip_address: ipAddress,
    akismet_submitted: false,
  }),
);

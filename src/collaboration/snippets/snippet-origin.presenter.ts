import { field, presenter } from '#libs/presenting';
import type { SnippetOrigin } from './snippet-origin';

const SnippetOriginRecord = field.object({
  user_agent: field.string(),
  ip_address: field.string(),
  akismet_submitted: field.boolean(),
});

/** For administrators; nothing is sent to any service that judges spam. */
export const presentSnippetOrigin = presenter(
  SnippetOriginRecord,
  ({ userAgent, ipAddress }: SnippetOrigin) => ({
    user_agent: userAgent,
    ip_address: ipAddress,
    akismet_submitted: false,
  }),
);

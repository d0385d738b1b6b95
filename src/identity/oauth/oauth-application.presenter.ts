import { field, presenter } from '#libs/presenting';
import type { OAuthApplication } from './oauth-application.entity';
import type { RegisteredApplication } from './registered-application';

const ApplicationRecord = field.object({
  id: field.int(),
  application_id: field.string(),
  application_name: field.string(),
  callback_url: field.string(),
  confidential: field.boolean(),
});

export const presentApplication = presenter(ApplicationRecord, (of: OAuthApplication) => ({
  id: of.id,
  application_id: of.uid,
  application_name: of.name,
  callback_url: of.redirectUris.join('\n'),
  confidential: of.confidential,
}));

/** The only answer that tells the secret. */
export const presentRegisteredApplication = presenter(
  ApplicationRecord.extend({ secret: field.string() }),
  (registered: RegisteredApplication, view) => ({
    ...presentApplication(registered.application, view),
    secret: registered.secret,
  }),
);

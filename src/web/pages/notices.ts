/** What a page says after a redirect, by the name that the address carries. */
export const NOTICES: ReadonlyMap<string, string> = new Map([
  ['signed_out', 'You are signed out.'],
  ['password_changed', 'Your password is changed. All other sessions have ended.'],
  ['password_reset', 'Your password is changed. You can sign in with it now.'],
  ['reset_sent', 'If the address belongs to an account, a mail with instructions is on its way.'],
  ['confirmation_sent', 'If the address waits for its confirmation, a mail with instructions is on its way.'],
  ['confirmed', 'Your email address is confirmed.'],
  ['application_changed', 'The application is changed.'],
  ['application_deleted', 'The application is deleted, with everything it was allowed.'],
  ['application_revoked', 'The application can no longer act for you.'],
  ['token_revoked', 'The token is revoked.'],
]);

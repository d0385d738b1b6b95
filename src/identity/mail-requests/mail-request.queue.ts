import { defineQueue } from '#libs/jobs';

/** What somebody who is not signed in asks to have mailed. */
export type WantedMail = 'password' | 'confirmation';

export interface MailRequest {
  readonly wanted: WantedMail;
  readonly email: string;
}

/** Looks an address up and mails a link, where there is somebody to mail it to. */
export const mailRequests = defineQueue<MailRequest>('identity.mail_requests', {
  expireInSeconds: 60,
  onePerKey: true,
});

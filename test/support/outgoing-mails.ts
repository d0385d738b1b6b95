import { Mailer, type Mail } from '#libs/mail';
import type { TestApplication } from './application';

/** The mails that the application hands over from now on. They are still delivered: to files, as tests have no server. */
export class OutgoingMails {
  private constructor(private readonly sent: () => Mail[]) {}

  static of(app: TestApplication): OutgoingMails {
    const spy = jest.spyOn(app.nest.get(Mailer), 'send');
    return new OutgoingMails(() => spy.mock.calls.map(([mail]) => mail));
  }

  /** The oldest first. */
  to(address: string): Mail[] {
    return this.sent().filter(({ to }) => to === address);
  }

  /** The secret of the last link to a page that was mailed to the address. */
  lastSecretTo(address: string): string {
    const secret = /[?&][a-z_]+_token=([0-9a-f]+)/.exec(this.to(address).at(-1)?.text ?? '')?.[1];
    if (secret === undefined) throw new Error(`no mail with a link went to ${address}`);
    return secret;
  }
}

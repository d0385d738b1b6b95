/** How this installation sends mail. */
export interface MailOptions {
  /** `smtp://` or `smtps://user:password@host:port`; null: mails are written to `folder`. */
  readonly smtpUrl: string | null;
  /** Address of the sender. */
  readonly from: string;
  /** Directory for mails that are not sent; made when needed. */
  readonly folder: string;
}

/** Injection token of the options. */
export const MAIL_OPTIONS = Symbol('mail options');

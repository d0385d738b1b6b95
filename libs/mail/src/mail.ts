/** A mail of plain text to one person. */
export interface Mail {
  /** One address, without a name. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** A mail that waits for its delivery. */
export interface WaitingMail extends Mail {
  /** A UUID; also makes the Message-ID, by which a mail that arrives twice can be told. */
  readonly id: string;
  readonly createdAt: Date;
}

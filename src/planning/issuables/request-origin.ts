/** With what something was sent, and from where. */
export interface RequestOrigin {
  readonly userAgent: string;
  readonly ipAddress: string;
}

const LONGEST_USER_AGENT = 1024;

interface Sender {
  readonly address: string;
  readonly header: (name: string) => string | undefined;
}

/** Of a call; a client that does not name itself has an empty name. */
export const originOf = ({ address, header }: Sender): RequestOrigin => ({
  userAgent: (header('user-agent') ?? '').slice(0, LONGEST_USER_AGENT),
  ipAddress: address,
});

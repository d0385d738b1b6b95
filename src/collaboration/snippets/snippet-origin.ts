/** With what a snippet was sent, and from where. */
export interface SnippetOrigin {
  readonly userAgent: string;
  readonly ipAddress: string;
}

const LONGEST_USER_AGENT = 1024;

interface Sender {
  readonly address: string;
  readonly header: (name: string) => string | undefined;
}

export const originOf = ({ address, header }: Sender): SnippetOrigin => ({
  userAgent: (header('user-agent') ?? '').slice(0, LONGEST_USER_AGENT),
  ipAddress: address,
});

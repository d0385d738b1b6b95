import net from 'node:net';

/** What a client has handed over in one conversation. */
export interface ReceivedMail {
  /** Decoded from AUTH PLAIN, `user:password`; null for a client that did not sign in. */
  readonly credentials: string | null;
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body as they came. */
  readonly data: string;
}

/** Just enough of a mail server to hold the real conversation of RFC 5321 over TCP. */
export class SmtpServer {
  readonly received: ReceivedMail[] = [];
  /** Given instead of "250" to the next mails, one after another: `451 try later`. */
  readonly refusals: string[] = [];

  private constructor(private readonly server: net.Server) {}

  static async start(): Promise<SmtpServer> {
    const server = net.createServer();
    const fixture = new SmtpServer(server);
    server.on('connection', (socket) => fixture.converse(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return fixture;
  }

  get port(): number {
    const address = this.server.address();
    if (typeof address !== 'object' || address === null) throw new Error('the server does not listen');
    return address.port;
  }

  async stop(): Promise<void> {
    await new Promise((resolve) => this.server.close(resolve));
  }

  private converse(socket: net.Socket): void {
    let credentials: string | null = null;
    let from = '';
    let to: string[] = [];
    let data: string[] | null = null;
    let unread = '';
    const say = (line: string): void => void socket.write(`${line}\r\n`);
    const answer = (line: string): void => {
      const verb = line.split(' ', 1)[0]?.toUpperCase() ?? '';
      if (verb === 'EHLO') return say('250-mail.test\r\n250 AUTH PLAIN');
      if (verb === 'AUTH') {
        const [, user, password] = Buffer.from(line.split(' ')[2] ?? '', 'base64')
          .toString()
          .split('\0');
        credentials = `${user}:${password}`;
        return say('235 welcome');
      }
      if (verb === 'MAIL') from = /<(.*?)>/.exec(line)?.[1] ?? '';
      if (verb === 'RCPT') to.push(/<(.*?)>/.exec(line)?.[1] ?? '');
      if (verb === 'DATA') {
        data = [];
        return say('354 go on');
      }
      say(verb === 'QUIT' ? '221 bye' : '250 fine');
      if (verb === 'QUIT') socket.end();
    };
    const take = (line: string): void => {
      if (data === null) return answer(line);
      if (line !== '.') return void data.push(line);
      // As servers do since lone line feeds have been used to smuggle mails.
      const isLoose = data.some((each) => each.includes('\n'));
      const refusal = isLoose ? '550 bare line feed' : this.refusals.shift();
      if (refusal === undefined) this.received.push({ credentials, from, to, data: data.join('\n') });
      [data, to] = [null, []];
      say(refusal ?? '250 taken');
    };
    socket.on('data', (chunk) => {
      const lines = (unread + chunk.toString('latin1')).split('\r\n');
      unread = lines.pop() ?? '';
      lines.forEach(take);
    });
    // A client may hang up; whoever waits for its mail will notice.
    socket.on('error', () => socket.destroy());
    say('220 mail.test ready');
  }
}

import { mkdir, open, rename } from 'node:fs/promises';
import path from 'node:path';
import { Logger } from '@nestjs/common';
import { createTransport, type PluginFunction, type SendMailOptions } from 'nodemailer';
import type { WaitingMail } from './mail';
import type { MailOptions } from './mail-options';

/** Takes a mail to where it leaves this program. */
export interface MailTransport {
  /** Throws when it could not be handed over; it may then be delivered again. */
  deliver(mail: WaitingMail): Promise<void>;
}

const CONNECT_MS = 10_000;
const ANSWER_MS = 30_000;

/** The way that the options ask for. */
export const transportOf = (options: MailOptions): MailTransport =>
  options.smtpUrl === null
    ? new FolderTransport(options.from, options.folder)
    : new SmtpTransport(options.from, options.smtpUrl);

/** Nothing in a mail may make the sender read files or addresses: its parts are text alone. */
function message({ id, to, subject, text, createdAt }: WaitingMail, from: string): SendMailOptions {
  const host = from.split('@').at(-1) ?? 'localhost';
  return {
    // As an object an address is taken as it is: no comma in it makes a second recipient.
    from: { name: '', address: from },
    to: { name: '', address: to },
    subject,
    text,
    date: createdAt,
    messageId: `<${id}@${host}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Whether every mail server takes the text as it is (RFC 5322, 2.1.1). */
const goesAsItIs = (text: string): boolean => /^[\t\n\x20-\x7e]*$/.test(text) && !/.{999}/.test(text);

/** The library would break lines of more than 76 characters, and who reads a mail as a file could not follow its link. */
const keepLinesWhole: PluginFunction = ({ data, message: composed }, done) => {
  if (typeof data.text === 'string' && goesAsItIs(data.text)) composed.getTransferEncoding = () => '7bit';
  done();
};

/** Hands mails to a mail server. TLS from the start with `smtps:`, else as soon as the server offers it. */
class SmtpTransport implements MailTransport {
  constructor(
    private readonly from: string,
    private readonly url: string,
  ) {}

  async deliver(mail: WaitingMail): Promise<void> {
    const transport = createTransport({
      url: this.url,
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: ANSWER_MS,
      dnsTimeout: CONNECT_MS,
    }).use('stream', keepLinesWhole);
    try {
      await transport.sendMail(message(mail, this.from));
    } finally {
      transport.close();
    }
  }
}

/** Writes mails to files that mail programs can open, where no mail server is configured. */
class FolderTransport implements MailTransport {
  private readonly logger = new Logger('Mail');
  private readonly composer = createTransport({ streamTransport: true, buffer: true, newline: 'unix' }).use(
    'stream',
    keepLinesWhole,
  );

  constructor(
    private readonly from: string,
    private readonly folder: string,
  ) {}

  async deliver(mail: WaitingMail): Promise<void> {
    const { message: bytes } = await this.composer.sendMail(message(mail, this.from));
    if (!Buffer.isBuffer(bytes)) throw new Error('the composer was asked for bytes');
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const moment = mail.createdAt.toISOString().replaceAll(/[:.]/g, '-');
    const file = path.join(this.folder, `${moment}-${mail.id}.eml`);
    await writeWhole(file, bytes);
    this.logger.log({ file }, 'no mail server is configured (SMTP_URL): a mail was written to a file');
  }
}

/** Appears under its name only when it is complete. Readable by the owner alone: links in mails let people in. */
async function writeWhole(file: string, bytes: Buffer): Promise<void> {
  const draft = `${file}.${process.pid}`;
  const handle = await open(draft, 'w', 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, file);
}

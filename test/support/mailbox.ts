import fs from 'node:fs/promises';
import path from 'node:path';
import { until } from '#libs/testing';
import type { TestApplication } from './application';

/** Mails that an installation without a mail server writes to files. */
export class Mailbox {
  constructor(private readonly app: TestApplication) {}

  /** Texts of the mails to an address, oldest first. */
  async of(address: string): Promise<string[]> {
    const folder = path.join(this.app.settings.dataDir, 'mails');
    const names = await fs.readdir(folder).catch(() => []);
    const files = names.filter((name) => name.endsWith('.eml')).sort();
    const texts = await Promise.all(files.map((name) => fs.readFile(path.join(folder, name), 'utf8')));
    return texts.filter((text) => text.includes(`\nTo: ${address}\n`)).map(unfolded);
  }

  /** Waits for a mail whose text matches, and answers the first group. */
  async find(address: string, pattern: RegExp): Promise<string> {
    let found: string | undefined;
    await until(async () => {
      found = (await this.of(address))
        .map((text) => pattern.exec(text)?.[1])
        .findLast((each) => each !== undefined);
      return found !== undefined;
    });
    return found ?? '';
  }
}

/** Quoted-printable breaks long lines. */
const unfolded = (text: string): string =>
  /^Content-Transfer-Encoding: quoted-printable$/im.test(text)
    ? text.replaceAll('=\n', '').replaceAll('=3D', '=')
    : text;

/** Texts of the mails to an address, as soon as there is one. */
export async function mailsTo(app: TestApplication, address: string): Promise<string[]> {
  const mailbox = new Mailbox(app);
  await until(async () => (await mailbox.of(address)).length > 0);
  return mailbox.of(address);
}

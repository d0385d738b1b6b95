import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { TextMeasure } from './text-measure';

/** Those that the reference knows, by their SPDX names. */
const KNOWN = [
  ...['0BSD', 'AFL-3.0', 'AGPL-3.0-only', 'Apache-2.0', 'Artistic-2.0', 'BSD-2-Clause', 'BSD-3-Clause'],
  ...['BSD-3-Clause-Clear', 'BSD-4-Clause', 'BSL-1.0', 'CC-BY-4.0', 'CC-BY-SA-4.0', 'CC0-1.0', 'CECILL-2.1'],
  ...['ECL-2.0', 'EPL-1.0', 'EPL-2.0', 'EUPL-1.1', 'EUPL-1.2', 'GPL-2.0-only', 'GPL-3.0-only', 'ISC'],
  ...['LGPL-2.1-only', 'LGPL-3.0-only', 'LPPL-1.3c', 'MIT', 'MIT-0', 'MPL-2.0', 'MS-PL', 'MS-RL', 'NCSA'],
  ...['ODbL-1.0', 'OFL-1.1', 'OSL-3.0', 'PostgreSQL', 'Unlicense', 'UPL-1.0', 'Vim', 'WTFPL', 'Zlib'],
];

const NICKNAMES: Readonly<Record<string, string>> = {
  'agpl-3.0': 'GNU AGPLv3',
  'gpl-2.0': 'GNU GPLv2',
  'gpl-3.0': 'GNU GPLv3',
  'lgpl-2.1': 'GNU LGPLv2.1',
  'lgpl-3.0': 'GNU LGPLv3',
};

/** Its list gives the text of the one on which it builds too; files in repositories have what is before. */
const FOLLOWED_BY: Readonly<Record<string, RegExp>> = { 'lgpl-3.0': /\n\s*GNU GENERAL PUBLIC LICENSE\s/ };

export interface KnownLicense {
  /** As the reference writes it: `mit`, `apache-2.0`, `gpl-3.0`. */
  readonly key: string;
  readonly name: string;
  readonly nickname: string | null;
  /** Where its text was published. */
  readonly sourceUrl: string;
  readonly measure: TextMeasure;
}

const Entry = z.object({ name: z.string(), url: z.string(), licenseText: z.string() });

let loading: Promise<readonly KnownLicense[]> | null = null;

/** Reads and measures the texts once per process, when first asked for, one in each turn of the event loop. */
export function knownLicenses(): Promise<readonly KnownLicense[]> {
  loading ??= load().catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

async function load(): Promise<readonly KnownLicense[]> {
  const folder = path.join(path.dirname(require.resolve('spdx-license-list')), 'licenses');
  const licenses: KnownLicense[] = [];
  for (const id of KNOWN) {
    licenses.push(licenseOf(id, await readFile(path.join(folder, `${id}.json`), 'utf8')));
    await nextTurn();
  }
  return licenses;
}

function licenseOf(id: string, json: string): KnownLicense {
  const { name, url, licenseText } = Entry.parse(JSON.parse(json));
  const key = id.toLowerCase().replace(/-only$/, '');
  const end = FOLLOWED_BY[key];
  const [text = ''] = end ? licenseText.split(end, 1) : [licenseText];
  return {
    key,
    name: name.replace(/ only$/, ''),
    nickname: NICKNAMES[key] ?? null,
    sourceUrl: key in NICKNAMES ? `https://www.gnu.org/licenses/${key}.txt` : url,
    measure: TextMeasure.of(text),
  };
}

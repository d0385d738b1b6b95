import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import path from 'node:path';

const FILE = 'initial-root-token';
const BYTES = 20;

/** Where a generated token of the first administrator is kept, readable by the owner only. */
export const initialTokenFile = (dataDir: string): string => path.join(dataDir, FILE);

/** The token of an earlier start that got no further, else a new one; on the disk when this resolves. */
export async function generatedRootToken(dataDir: string): Promise<string> {
  const file = initialTokenFile(dataDir);
  const kept = await readFile(file, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  });
  if (kept.trim() !== '') return kept.trim();
  const token = randomBytes(BYTES).toString('base64url');
  await mkdir(dataDir, { recursive: true });
  await writeDurably(file, `${token}\n`);
  return token;
}

async function writeDurably(file: string, text: string): Promise<void> {
  const draft = `${file}.${process.pid}`;
  const handle = await open(draft, 'w', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, file);
}

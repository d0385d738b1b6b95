import fs from 'node:fs/promises';
import path from 'node:path';
import { settingsTable } from './settings-table';

const ROOT = path.resolve(__dirname, '../..');
const BLOCK = /(<!-- settings:[^\n]*-->\n\n?)([\s\S]*?)(\n\n?<!-- \/settings -->)/;

/** Spaces that a formatter puts into a table's cells mean nothing. */
const cells = (table: string): string[][] =>
  table
    .trim()
    .split('\n')
    .filter((line) => !/^[|\s-]+$/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()));

describe('the README', () => {
  const readme = (): Promise<string> => fs.readFile(path.join(ROOT, 'README.md'), 'utf8');

  it('lists every setting as it is (else: npm run golden:update)', async () => {
    const text = await readme();
    if (process.env['UPDATE_GOLDEN'] === '1') {
      await fs.writeFile(
        path.join(ROOT, 'README.md'),
        text.replace(BLOCK, (_all, start: string, _old, end: string) => start + settingsTable() + end),
      );
    }
    expect(cells(BLOCK.exec(await readme())?.[2] ?? '')).toEqual(cells(settingsTable()));
  });

  it('names only scripts and files that exist', async () => {
    const text = await readme();
    const { scripts } = JSON.parse(await fs.readFile(path.join(ROOT, 'package.json'), 'utf8'));
    const named = [...text.matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(([, name = '']) => name);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
    const links = [...text.matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(([, target = '']) => target);
    for (const target of links) await expect(fs.access(path.join(ROOT, target))).resolves.toBeUndefined();
  });
});

import fs from 'node:fs/promises';

/** Compares with a kept file; `npm run golden:update` (or `npm run openapi`) writes it instead. */
export async function expectGolden(file: string, actual: string): Promise<void> {
  if (process.env['UPDATE_GOLDEN'] === '1') await fs.writeFile(file, actual);
  expect(actual).toBe(await fs.readFile(file, 'utf8'));
}

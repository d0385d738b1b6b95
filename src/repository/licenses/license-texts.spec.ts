import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { knownLicenses } from './license-texts';
import { TextMeasure } from './text-measure';

const NODE_MODULES = path.join(__dirname, '../../../node_modules');

async function keyOf(text: string): Promise<string | undefined> {
  const measure = TextMeasure.of(text);
  const ranked = (await knownLicenses())
    .map(({ key, measure: known }) => ({ key, likeness: measure.likeness(known) }))
    .sort((one, other) => other.likeness - one.likeness);
  return ranked[0] && ranked[0].likeness >= 0.9 ? ranked[0].key : undefined;
}

describe('the texts of licences', () => {
  it.each([
    ['express/LICENSE', 'mit'],
    ['typescript/LICENSE.txt', 'apache-2.0'],
    ['semver/LICENSE', 'isc'],
    ['source-map/LICENSE', 'bsd-3-clause'],
    ['spdx-license-list/license', 'cc0-1.0'],
    ['express/package.json', undefined],
  ])('%s is %s', async (file, key) => {
    expect(await keyOf(await readFile(path.join(NODE_MODULES, file), 'utf8'))).toBe(key);
  });

  it('are each like no other as much as like themselves', async () => {
    const measures = await knownLicenses();
    for (const { key, measure } of measures) {
      const others = measures.filter((other) => other.key !== key);
      expect([key, measure.likeness(measure)]).toEqual([key, 1]);
      expect(Math.max(...others.map((other) => measure.likeness(other.measure)))).toBeLessThan(1);
    }
  });

  it('are alike however they are broken into lines, and whoever holds the rights', () => {
    const one =
      'Copyright (c) 2020 Ann\nAll rights reserved.\n\nPermission is hereby granted,\nfree of charge';
    const other =
      '  (c) 1999-2024 Some Company <a@b.example>\n\n * permission IS hereby granted free of   charge.\n';
    expect(TextMeasure.of(one).likeness(TextMeasure.of(other))).toBe(1);
    expect(TextMeasure.of('').likeness(TextMeasure.of(''))).toBe(0);
  });
});

import { coverageOf, coverageReport, reasonFor, rowsNamedByTests, specificationRows } from './coverage';
import { ENDPOINTS } from './endpoints';
import { SECTIONS } from './sections';

describe('coverage of the specification', () => {
  const rows = coverageOf(ENDPOINTS);

  beforeAll(() => {
    if (process.env['SPEC_REPORT'] === '1') process.stdout.write(coverageReport(rows));
  });

  it('knows all 138 rows and when each is due', () => {
    expect(rows).toHaveLength(138);
    expect(rows.map(({ section }) => section).filter((section) => SECTIONS[section] === undefined)).toEqual(
      [],
    );
  });

  it('every row that is due has a route', () => {
    expect(
      rows.filter(({ pending, route }) => pending === null && route === null).map(({ row }) => row),
    ).toEqual([]);
  });

  it('every row that has a route has a test that names it', () => {
    expect(
      rows.filter(({ route, tests }) => route !== null && tests.length === 0).map(({ row }) => row),
    ).toEqual([]);
  });

  it('every other route has a reason and a test that names it', () => {
    const inSpecification = new Set(specificationRows().map(({ row }) => row));
    const named = rowsNamedByTests();
    const neighbours = ENDPOINTS.map(({ definition }) => definition.row).filter(
      (row) => !inSpecification.has(row),
    );
    expect(neighbours.filter((row) => reasonFor(row) === null)).toEqual([]);
    expect(neighbours.filter((row) => !named.has(row))).toEqual([]);
  });

  it('no two routes serve one row', () => {
    const served = ENDPOINTS.map(({ definition }) => definition.row);
    expect(served.filter((row, index) => served.indexOf(row) !== index)).toEqual([]);
  });
});

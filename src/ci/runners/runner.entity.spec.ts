import { Runner } from './runner.entity';

const NOW = new Date('2026-01-01T12:00:00Z');
const before = (minutes: number): Date => new Date(NOW.getTime() - minutes * 60_000);

const runner = (columns: Partial<Runner> = {}): Runner =>
  Object.assign(new Runner(), { active: true, contactedAt: null, version: null, ipAddress: '::1' }, columns);

describe('a runner', () => {
  it.each([
    [{ active: false, contactedAt: before(1) }, 'paused'],
    [{}, 'not_connected'],
    [{ contactedAt: before(59) }, 'online'],
    [{ contactedAt: before(61) }, 'offline'],
  ])('with %j is %s', (columns, status) => {
    expect(runner(columns).status(NOW)).toBe(status);
  });

  it('is written down when it is heard of for the first time in ten minutes, or says something new', () => {
    expect(runner().hear({}, '::1', NOW)).toBe(true);
    expect(runner({ contactedAt: before(11) }).hear({}, '::1', NOW)).toBe(true);
    const known = runner({ contactedAt: before(9), version: '12.4' });
    expect(known.hear({ version: '12.4' }, '::1', NOW)).toBe(false);
    expect(known.contactedAt).toEqual(before(9));
    expect(known.hear({}, '::1', NOW)).toBe(false);
    expect(known.hear({ version: '12.5' }, '::1', NOW)).toBe(true);
    expect(known.hear({}, '10.0.0.1', NOW)).toBe(true);
    expect([known.version, known.ipAddress]).toEqual(['12.5', '10.0.0.1']);
  });
});

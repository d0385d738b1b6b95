import { CI_STATUSES, isFinished, rollUp, type CiStatus } from './status';

const of = (...statuses: CiStatus[]): CiStatus =>
  rollUp(statuses.map((status) => ({ status, allowFailure: false })));

describe('what several statuses add up to', () => {
  it.each<[CiStatus[], CiStatus]>([
    [['success'], 'success'],
    [['success', 'skipped'], 'success'],
    [['success', 'success', 'success'], 'success'],
    [['canceled'], 'canceled'],
    [['success', 'canceled'], 'canceled'],
    [['skipped', 'canceled', 'success'], 'canceled'],
    [['pending'], 'pending'],
    [['created'], 'pending'],
    [['pending', 'created', 'skipped'], 'pending'],
    [['skipped'], 'skipped'],
    [['running'], 'running'],
    [['running', 'failed'], 'running'],
    [['pending', 'success'], 'running'],
    [['pending', 'failed'], 'running'],
    [['created', 'success'], 'running'],
    [['running', 'canceled'], 'running'],
    [['failed'], 'failed'],
    [['failed', 'success'], 'failed'],
    [['failed', 'canceled'], 'failed'],
    [['failed', 'skipped'], 'failed'],
    [['manual', 'success'], 'manual'],
    [['scheduled', 'success'], 'scheduled'],
    [['manual', 'scheduled', 'created'], 'manual'],
    [['preparing'], 'preparing'],
    [['manual', 'running'], 'running'],
    [['manual', 'failed'], 'manual'],
    [[], 'pending'],
  ])('%j gives %s', (statuses, whole) => {
    expect(of(...statuses)).toBe(whole);
    expect(of(...statuses.toReversed())).toBe(whole);
  });

  it('counts a failure that is allowed as success', () => {
    const allowed = { status: 'failed', allowFailure: true } as const;
    expect(rollUp([allowed])).toBe('success');
    expect(rollUp([allowed, { status: 'success', allowFailure: false }])).toBe('success');
    expect(rollUp([allowed, { status: 'failed', allowFailure: false }])).toBe('failed');
    expect(rollUp([allowed, { status: 'pending', allowFailure: false }])).toBe('running');
  });
});

describe('what may fail', () => {
  const allowed = (status: CiStatus) => ({ status, allowFailure: true });
  const needed = (status: CiStatus) => ({ status, allowFailure: false });

  it('counts no more once it failed, was canceled or waits for somebody', () => {
    for (const status of ['failed', 'canceled', 'manual'] as const) {
      expect(rollUp([allowed(status), needed('success')])).toBe('success');
      expect(rollUp([allowed(status), needed('canceled')])).toBe('canceled');
      expect(rollUp([allowed(status), needed('running')])).toBe('running');
    }
  });

  it('makes success where nothing else is left, and nothing where it was never begun', () => {
    expect(rollUp([allowed('canceled')])).toBe('success');
    expect(rollUp([allowed('failed'), needed('skipped')])).toBe('success');
    expect(rollUp([allowed('manual')])).toBe('skipped');
  });
});

it('knows which statuses are final', () => {
  expect(CI_STATUSES.filter(isFinished)).toEqual(['success', 'failed', 'canceled', 'skipped']);
});

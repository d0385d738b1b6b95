import { BodiesInFlight, type BodyShare } from './bodies-in-flight';

describe('the bodies that are being read', () => {
  const unavailable = { detail: { kind: 'unavailable' } };

  it('are together no larger than the limit', async () => {
    const bodies = new BodiesInFlight(100);
    await bodies.share(async (first) => {
      first.take(60);
      await expect(bodies.share(async (second) => second.take(41))).rejects.toMatchObject(unavailable);
      await bodies.share(async (second) => second.take(40));
    });
    await bodies.share(async (next) => next.take(100));
  });

  it('give back what they took, also when they failed, and take nothing afterwards', async () => {
    const bodies = new BodiesInFlight(100);
    const late: BodyShare[] = [];
    const failing = bodies.share(async (share) => {
      late.push(share);
      share.take(100);
      throw new Error('broken');
    });
    await expect(failing).rejects.toThrow('broken');
    late.forEach((share) => share.take(100));
    await bodies.share(async (next) => next.take(100));
    await expect(bodies.share(async (next) => next.take(101))).rejects.toMatchObject(unavailable);
  });
});

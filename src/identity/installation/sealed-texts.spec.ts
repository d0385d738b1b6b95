import { InstallationKeys } from './installation-keys';
import { SealedTexts } from './sealed-texts';

async function sealerWith(secret: string): Promise<SealedTexts> {
  const keys = new InstallationKeys(
    Object.assign(Object.create(null), { secret: () => Promise.resolve(secret) }),
  );
  await keys.onModuleInit();
  return new SealedTexts(keys);
}

describe('a sealed text', () => {
  it('is opened by whoever has the same installation', async () => {
    const [one, other] = [await sealerWith('a'), await sealerWith('a')];
    for (const text of ['', 'token', 'ümlaut 🔑'.repeat(1_000)])
      expect(other.open('tokens', one.seal('tokens', text))).toBe(text);
  });

  it('looks different every time and shows nothing of the text', async () => {
    const sealer = await sealerWith('a');
    const [first, second] = [sealer.seal('tokens', 'planted'), sealer.seal('tokens', 'planted')];
    expect(first.equals(second)).toBe(false);
    expect(first.includes('planted')).toBe(false);
  });

  it('is opened by nobody else, for no other purpose, and not when it was changed', async () => {
    const sealer = await sealerWith('a');
    const bytes = sealer.seal('tokens', 'planted');
    const stranger = await sealerWith('b');
    expect(() => stranger.open('tokens', bytes)).toThrow();
    expect(() => sealer.open('urls', bytes)).toThrow();
    for (let place = 0; place < bytes.length; place++) {
      const changed = Buffer.from(bytes);
      changed[place] = (changed[place] ?? 0) ^ 1;
      expect(() => sealer.open('tokens', changed)).toThrow();
    }
    expect(() => sealer.open('tokens', Buffer.alloc(0))).toThrow();
  });
});

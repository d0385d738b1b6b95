import { InstallationKeys } from '../../identity/identity.api';
import { chainOf, HookChains } from './hook-chain';

/** Those of an installation with this secret. */
async function chainsOf(secret: string): Promise<HookChains> {
  const repository = Object.assign(Object.create(null), { secret: () => Promise.resolve(secret) });
  const keys = new InstallationKeys(repository);
  await keys.onModuleInit();
  return new HookChains(keys);
}

const chain = { root: 'event:7:0', hookIds: [3, 1] };

describe('the chain of hooks in a header', () => {
  let ours: HookChains;
  let theirs: HookChains;
  let header: string;
  beforeAll(async () => {
    ours = await chainsOf('a');
    theirs = await chainsOf('b');
    header = ours.header(chain);
  });

  it('comes back as the cause of what the request does', () => {
    expect(chainOf(ours.causeIn(header))).toEqual(chain);
    expect(chainOf(null)).toBeNull();
  });

  it('is nothing when it was made or changed elsewhere', () => {
    const [text = '', signature = ''] = header.split('.');
    const longer = Buffer.from(JSON.stringify({ ...chain, hookIds: [3, 1, 9], madeAt: Date.now() })).toString(
      'base64url',
    );
    for (const given of [
      theirs.header(chain),
      `${longer}.${signature}`,
      `${text}.${signature.slice(1)}`,
      `${text}.`,
      text,
      '',
      '.',
      'x'.repeat(100_000),
    ])
      expect(ours.causeIn(given)).toBeNull();
  });

  it('is nothing once it is old', () => {
    const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 11 * 60_000);
    expect(ours.causeIn(header)).toBeNull();
    now.mockRestore();
  });
});

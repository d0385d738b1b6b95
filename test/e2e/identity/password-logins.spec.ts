import { PasswordLogins, Passwords } from '../../../src/identity/identity.api';
import { useApplication } from '../../support/application';

const app = useApplication();

const PASSWORD = 'correct horse battery';

describe('signing in with a password', () => {
  let id: number;

  beforeAll(async () => {
    const admin = await app.current.build.user({ admin: true });
    const params = { username: 'Rider', email: 'rider@example.com', name: 'Rider', password: PASSWORD };
    const { body } = await app.current.as(admin).post('/users', { ...params, skip_confirmation: true });
    id = body.id;
  });

  const signIn = async (login: string, password = PASSWORD, address = '127.0.0.1'): Promise<number | null> =>
    (await app.current.nest.get(PasswordLogins).withPassword(login, password, address))?.id ?? null;
  const set = (columns: string) =>
    app.current.database.query(`UPDATE users SET ${columns} WHERE id = $1`, [id]);

  it('works by username and e-mail, in any letter case', async () => {
    expect(await signIn('Rider')).toBe(id);
    expect(await signIn('rider')).toBe(id);
    expect(await signIn('RIDER@example.com')).toBe(id);
  });

  it('refuses wrong passwords, overlong ones and nobody', async () => {
    expect(await signIn('Rider', 'correct horse batterY')).toBeNull();
    expect(await signIn('Rider', '')).toBeNull();
    expect(await signIn('Rider', `${PASSWORD}${' '.repeat(200)}`)).toBeNull();
    expect(await signIn('nobody')).toBeNull();
  });

  it('refuses users without a password', async () => {
    const user = await app.current.build.user();
    expect(await signIn(user.username, '')).toBeNull();
  });

  it('refuses a password that must be changed', async () => {
    await set('password_expires_at = now()');
    expect(await signIn('Rider')).toBeNull();
    await set('password_expires_at = NULL');
    expect(await signIn('Rider')).toBe(id);
  });

  it('refuses users whose e-mail nobody has confirmed', async () => {
    await set('confirmed_at = NULL');
    expect(await signIn('Rider')).toBeNull();
    await set('confirmed_at = now()');
  });

  it('refuses blocked users', async () => {
    await set(`state = 'blocked'`);
    expect(await signIn('Rider')).toBeNull();
    await set(`state = 'active'`);
  });

  describe('is not for guessing:', () => {
    const person = async (username: string): Promise<string> => {
      const admin = await app.current.build.user({ admin: true });
      const email = `${username}@example.com`;
      const params = { username, email, name: username, password: PASSWORD, skip_confirmation: true };
      expect((await app.current.as(admin).post('/users', params)).status).toBe(201);
      return username;
    };
    let comparisons: jest.SpyInstance;
    beforeEach(() => {
      comparisons = jest.spyOn(app.current.nest.get(Passwords), 'verify');
    });
    afterEach(() => comparisons.mockRestore());

    it('after ten failures of an account nothing is compared any more', async () => {
      const login = await person('guessed');
      for (let i = 0; i < 5; i += 1) await signIn(login, `wrong ${i}`);
      for (let i = 0; i < 5; i += 1) await signIn(`${login}@example.com`, `wrong ${i}`);
      expect(await signIn(login)).toBeNull();
      expect(comparisons).toHaveBeenCalledTimes(10);
      expect(await signIn('Rider')).toBe(id);
    });

    it('many guesses at once get hardly further', async () => {
      const login = await person('stormed');
      await Promise.all(Array.from({ length: 40 }, (_, i) => signIn(login, `wrong ${i}`)));
      expect(comparisons.mock.calls.length).toBeLessThanOrEqual(11);
      expect(await signIn(login)).toBeNull();
    });

    it('a success clears the failures before it', async () => {
      const login = await person('forgetful');
      for (let round = 0; round < 2; round += 1) {
        for (let i = 0; i < 6; i += 1) expect(await signIn(login, `wrong ${i}`)).toBeNull();
        expect(await signIn(login)).toEqual(expect.any(Number));
      }
    });

    it('an address that fails for ten accounts is refused, and others are not', async () => {
      for (let i = 0; i < 10; i += 1) await signIn(`nobody-${i}`, PASSWORD, '192.0.2.7');
      expect(await signIn('Rider', PASSWORD, '192.0.2.7')).toBeNull();
      expect(await signIn('Rider', PASSWORD, '192.0.2.8')).toBe(id);
    });

    it('all that come through a proxy of this machine do not answer for one another', async () => {
      for (let i = 0; i < 10; i += 1) await signIn(`somebody-${i}`, PASSWORD, '::ffff:127.0.0.1');
      expect(await signIn('Rider', PASSWORD, '::ffff:127.0.0.1')).toBe(id);
    });

    it('an unknown token costs no comparison', async () => {
      expect(await signIn('Rider', 'a1'.repeat(20))).toBeNull();
      expect(comparisons).not.toHaveBeenCalled();
    });

    it('more than can wait are sent away', async () => {
      const all = await Promise.allSettled(
        Array.from({ length: 80 }, (_, i) => signIn(`crowd-${i}`, PASSWORD)),
      );
      const refused = all.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
      expect(refused.length).toBeGreaterThan(0);
      expect(refused).toEqual(
        refused.map(() =>
          expect.objectContaining({ detail: expect.objectContaining({ kind: 'unavailable' }) }),
        ),
      );
    });
  });
});

import { PasswordLogins } from '../../../src/identity/identity.api';
import { useApplication } from '../../support/application';

const app = useApplication();

const PASSWORD = 'correct horse battery';

describe('signing in with a password', () => {
  let id: number;

  beforeAll(async () => {
    const admin = await app.current.build.user({ admin: true });
    const params = { username: 'Rider', email: 'rider@example.com', name: 'Rider', password: PASSWORD };
    const { body } = await app.current.as(admin).post('/users', params);
    id = body.id;
  });

  const signIn = async (login: string, password = PASSWORD): Promise<number | null> =>
    (await app.current.nest.get(PasswordLogins).withPassword(login, password))?.id ?? null;
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

  it('refuses blocked users', async () => {
    await set(`state = 'blocked'`);
    expect(await signIn('Rider')).toBeNull();
    await set(`state = 'active'`);
  });
});

import { SignInCleanup } from '../../../src/identity/sessions/sign-in-cleanup.job';
import { useApplication } from '../../support/application';

const app = useApplication();
const RUN = { id: 'job', attempt: 1, isLastAttempt: false, signal: new AbortController().signal };

describe('the hourly cleanup', () => {
  it('removes sessions that are over and failures that no longer count, however many, and nothing else', async () => {
    const { build, database, nest } = app.current;
    const user = await build.user();
    await build.token(user, [], { kind: 'session', expiresAt: new Date(Date.now() + 60_000) });
    await build.token(user, ['api'], { expiresAt: new Date(Date.now() - 1000) });
    await database.query(
      `INSERT INTO access_tokens (kind, user_id, digest, expires_at)
       SELECT 'session', $1, sha256(n::text::bytea), now() - interval '1 minute' FROM generate_series(1, 1500) n`,
      [user.id],
    );
    await database.query(`
      INSERT INTO sign_in_failures
      SELECT 'login ' || n, 1, now() + CASE WHEN n > 1500 THEN interval '1 minute' ELSE interval '0' END
      FROM generate_series(1, 1501) n`);
    await nest.get(SignInCleanup).run({}, RUN);

    const tokens = await database.query('SELECT kind FROM access_tokens ORDER BY kind, id');
    expect(tokens.rows).toEqual([{ kind: 'personal' }, { kind: 'personal' }, { kind: 'session' }]);
    expect((await database.query('SELECT account FROM sign_in_failures')).rows).toEqual([
      { account: 'login 1501' },
    ]);
  });
});

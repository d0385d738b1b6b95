import { PasswordLogins } from '../../../src/identity/identity.api';
import { GroupSync } from '../../../src/identity/ldap/group-sync.service';
import { SyncDirectories } from '../../../src/identity/ldap/directory-sync.job';
import { startApplication } from '../../support/application';
import { membersOf } from '../../support/directory-people';

const common = { base: 'ou=people,dc=example,dc=com', groupBase: 'ou=groups,dc=example,dc=com', uid: 'uid', bindDn: 'cn=reader,dc=example,dc=com', bindPassword: 'reader-password', timeoutSeconds: 5, tls: { caFile: '/tmp/l-slapd/cert.pem' } };
it.each([['ldaps://localhost:16360', 'tls'], ['ldap://localhost:13890', 'start_tls']])('%s', async (url, encryption) => {
  const app = await startApplication({ LDAP_CONFIG: JSON.stringify({ ldapmain: { ...common, url, encryption } }) });
  try {
    const signIn = async (login: string, password: string) => app.nest.get(PasswordLogins).signIn(login, password, '127.0.0.1');
    for (const uid of ['grace', 'ada', 'jörg müller', 'a*(b)', 'back\\2a', 'user5', 'user2999'])
      expect([uid, await signIn(uid, `${uid}-password`)]).toEqual([uid, { user: expect.anything() }]);
    for (const login of ['*', 'gr*', 'grace)(uid=*', 'grace\\2a', '\\', '(', 'back*', 'grace\0'])
      expect([login, await signIn(login, 'grace-password')]).toEqual([login, { refused: 'invalid' }]);
    expect(await signIn('grace', '')).toEqual({ refused: 'invalid' });
    expect(await signIn('grace', 'x')).toEqual({ refused: 'invalid' });
    const admin = await app.build.user({ admin: true });
    const group = await app.build.group();
    await app.as(admin).post(`/groups/${group.id}/ldap_group_links`, { cn: 'outer', group_access: 30, provider: 'ldapmain' });
    await app.as(admin).post(`/groups/${group.id}/ldap_group_links`, { cn: 'posix', group_access: 40, provider: 'ldapmain' });
    await app.nest.get(GroupSync).sync(group.id, new AbortController().signal);
    expect(await membersOf(app, group)).toEqual({ ada: '30 by directory', grace: '40 by directory', user5: '30 by directory', user2999: '30 by directory' });
    await app.nest.get(SyncDirectories).run({}, { id: '', attempt: 1, isLastAttempt: true, signal: new AbortController().signal });
    expect((await app.database.query(`SELECT username FROM users WHERE state <> 'active'`)).rows).toEqual([]);
  } finally { await app.close(); }
});
it('plain is refused by this slapd', async () => {
  const app = await startApplication({ LDAP_CONFIG: JSON.stringify({ ldapmain: { ...common, url: 'ldap://localhost:13890', encryption: 'none' } }) });
  await expect(app.nest.get(PasswordLogins).signIn('grace', 'grace-password', '127.0.0.1')).rejects.toThrow('unavailable');
  await app.close();
});

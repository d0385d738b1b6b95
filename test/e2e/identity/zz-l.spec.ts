import { Client } from 'ldapts';
import { DirectoryServer, BASE } from '../../support/directory-server';
import { normalizedDn } from '../../../src/identity/ldap/distinguished-name';
it('x', async () => {
  const d = await DirectoryServer.start();
  const dns = Array.from({ length: 10_000 }, (_, i) => `uid=many${i},ou=people,${BASE}`);
  d.group('g', dns);
  const c = new Client({ url: `ldap://localhost:${d.listeningPort}`, timeout: 200000 });
  await c.bind(`cn=reader,${BASE}`, 'reader-password');
  let t = Date.now();
  const r = await c.search(`ou=groups,${BASE}`, { filter: '(cn=g)', attributes: ['member'] });
  process.stderr.write(`search ${Date.now() - t} ${r.searchEntries.length}\n`); t = Date.now();
  for (const dn of dns) normalizedDn(dn);
  process.stderr.write(`normalise ${Date.now() - t}\n`);
  await c.unbind(); await d.stop();
});

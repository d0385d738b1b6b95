import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readSettings, SettingsError } from './settings';

const MAIN = { url: 'ldaps://directory.example.com', base: 'dc=example,dc=com', uid: 'uid' };

const read = (config: unknown) => readSettings({ LDAP_CONFIG: JSON.stringify(config) }).ldapProviders;

function problem(text: string): string {
  try {
    readSettings({ LDAP_CONFIG: text });
  } catch (error) {
    if (error instanceof SettingsError) return error.problems.join('\n');
    throw error;
  }
  return '';
}

describe('the LDAP configuration', () => {
  it('needs an address, a base and an attribute, and has a default for the rest', () => {
    expect(read({ ldapmain: MAIN })).toEqual([
      {
        name: 'ldapmain',
        label: 'ldapmain',
        host: 'directory.example.com',
        port: 636,
        encryption: 'tls',
        tls: { verifyCertificates: true, ca: null },
        bind: null,
        timeoutMs: 10_000,
        maxEntries: 50_000,
        base: 'dc=example,dc=com',
        userFilter: null,
        uid: 'uid',
        attributes: {
          username: ['uid', 'userid', 'sAMAccountName'],
          email: ['mail', 'email', 'userPrincipalName'],
          name: ['cn', 'displayName'],
        },
        groups: null,
        activeDirectory: true,
        blockAutoCreatedUsers: false,
        autoLinkUsers: false,
        allowUsernameOrEmailLogin: false,
      },
    ]);
  });

  it('keeps the order of the providers', () => {
    const names = read({ ldapzulu: MAIN, ldapalpha: MAIN }).map(({ name }) => name);
    expect(names).toEqual(['ldapzulu', 'ldapalpha']);
  });

  it('encrypts unless told otherwise', () => {
    const encryption = (fields: object) => read({ ldapmain: { ...MAIN, ...fields } })[0]?.encryption;
    expect(encryption({ url: 'ldap://directory:3389' })).toBe('start_tls');
    expect(encryption({ url: 'ldap://directory', encryption: 'none' })).toBe('none');
    expect(problem(JSON.stringify({ ldapmain: { ...MAIN, encryption: 'none' } }))).toContain(
      'ldapmain.encryption',
    );
  });

  it('may stand in a file', () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ldap-config-'));
    try {
      const file = path.join(folder, 'ldap.json');
      fs.writeFileSync(file, JSON.stringify({ ldapmain: MAIN }));
      expect(readSettings({ LDAP_CONFIG: file }).ldapProviders).toHaveLength(1);
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });

  it.each([
    [{ main: MAIN }, 'main: must begin with "ldap"'],
    [{ ldapmain: { ...MAIN, url: 'http://directory' } }, 'ldapmain.url: must be ldap://'],
    [{ ldapmain: { ...MAIN, uid: 'uid)(x=*' } }, 'ldapmain.uid: must be the name'],
    [{ ldapmain: { ...MAIN, userFilter: 'objectClass=person' } }, 'ldapmain.userFilter: must be a filter'],
    [{ ldapmain: { ...MAIN, bindDn: 'cn=reader' } }, 'ldapmain.bindPassword: must be given together'],
    [{ ldapmain: { ...MAIN, adminGroup: 'admins' } }, 'ldapmain.groupBase: must be given'],
    [{ ldapmain: { ...MAIN, tls: { caFile: '/nowhere' } } }, 'ldapmain.tls.caFile: must be a file'],
    [{ ldapmain: { ...MAIN, colour: 'red' } }, 'colour'],
    [{ ldapmain: { url: MAIN.url, uid: 'uid' } }, 'ldapmain.base'],
  ])('refuses %j, naming the place', (config, said) => {
    expect(problem(JSON.stringify(config))).toMatch(/^LDAP_CONFIG must be /);
    expect(problem(JSON.stringify(config))).toContain(said);
  });

  it.each([
    '{"ldapmain": {"bindPassword": "hunter2"',
    '/no/such/file',
    '{"ldapmain": {"bindPassword": ["hunter2"]}}',
  ])('refuses %s without repeating it', (text) => {
    expect(problem(text)).toMatch(/^LDAP_CONFIG must be /);
    expect(problem(text)).not.toContain('hunter2');
  });
});

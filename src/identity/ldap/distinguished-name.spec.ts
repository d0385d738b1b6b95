import { normalizedDn } from './distinguished-name';

describe('a distinguished name', () => {
  it.each([
    ['uid=john,ou=people,dc=example,dc=com', 'uid=john,ou=people,dc=example,dc=com'],
    ['UID=John, OU = People ;DC=Example,dc=COM', 'uid=john,ou=people,dc=example,dc=com'],
    ['cn=Smith\\, John,dc=example', 'cn=smith\\, john,dc=example'],
    ['cn=Smith\\2C John,dc=example', 'cn=smith\\, john,dc=example'],
    ['cn="Smith, John",dc=example', 'cn=smith\\, john,dc=example'],
    ['cn=Lu\\C4\\8Di\\C4\\87', 'cn=lučić'],
    ['cn=Lučić', 'cn=lučić'],
    ['cn=B+uid=A', 'cn=b+uid=a'],
    ['uid=A+cn=B', 'cn=b+uid=a'],
    ['OID.0.9.2342=x', '0.9.2342=x'],
    ['cn=#04024869', 'cn=#04024869'],
    ['cn=end\\ ', 'cn=end\\ '],
    ['cn=end ', 'cn=end'],
    ['cn=back\\\\', 'cn=back\\\\'],
    ['cn=😀', 'cn=😀'],
    ['cn=a\\00b', 'cn=a\\00b'],
    ['cn=', 'cn='],
  ])('%s is kept as %s', (given, kept) => {
    expect(normalizedDn(given)).toBe(kept);
    expect(normalizedDn(kept)).toBe(kept);
  });

  it.each([
    '',
    '  ',
    'john',
    'cn=a,',
    '=a',
    'cn="a',
    'cn=a\\',
    'c n=a',
    'cn=#zz',
    'cn=\\ff',
    'cn=a,,dc=b',
    '1.=a',
  ])('%j is none', (given) => expect(normalizedDn(given)).toBeNull());

  it('takes no time over hostile ones', () => {
    const names = ['uid='.padEnd(100_000, ' a'), `${'cn=a'.padEnd(50_000, ' ')}\\,=`, 'cn=a,'.repeat(20_000)];
    for (const name of names) expect(() => normalizedDn(name)).not.toThrow();
  });

  it('does not confuse names that differ', () => {
    expect(normalizedDn('cn=a\\,dc\\=b')).not.toBe(normalizedDn('cn=a,dc=b'));
  });
});

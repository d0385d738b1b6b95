import { BerReader, BerWriter, EqualityFilter, FilterParser, OrFilter, AndFilter } from 'ldapts';
import { readSettings, type LdapProvider } from '../../settings/settings';
import { peopleFilter, personOf } from './directory-person';

function provider(fields: object = {}): LdapProvider {
  const given = { url: 'ldaps://localhost', base: 'ou=people,dc=example', uid: 'uid', ...fields };
  const [made] = readSettings({ LDAP_CONFIG: JSON.stringify({ ldapmain: given }) }).ldapProviders;
  if (!made) throw new Error('one provider was expected');
  return made;
}

describe('what people type', () => {
  it.each([
    'grace',
    '*',
    'g*e',
    'grace)(uid=*',
    '*)(objectClass=*',
    '(',
    '\\',
    '\\2a',
    'grace\\',
    'a\0b',
    'jörg',
    '😀',
  ])('travels as it is, inside of one comparison: %j', (login) => {
    const narrower = [new EqualityFilter({ attribute: 'uid', value: login })];
    const writer = new BerWriter();
    peopleFilter(provider({ userFilter: '(|(employeeType=staff)(employeeType=guest))' }), narrower).write(
      writer,
    );
    const received = FilterParser.parse(new BerReader(writer.buffer));
    expect(received).toBeInstanceOf(AndFilter);
    const [configured, typed] = received instanceof AndFilter ? received.filters : [];
    expect(configured).toBeInstanceOf(OrFilter);
    expect(typed).toBeInstanceOf(EqualityFilter);
    expect(typed).toMatchObject({ attribute: 'uid', value: login });
  });
});

describe('somebody of a directory', () => {
  const entry = (attributes: Record<string, string[]>) => ({
    dn: 'UID=Grace, OU=People,DC=Example',
    attributes: new Map(Object.entries(attributes)),
  });

  it('is told by the first attribute that says something', () => {
    const attributes = { uid: ['grace'], mail: [' ', 'g@example.com'], displayname: ['Grace'] };
    expect(personOf(provider(), entry(attributes))).toEqual({
      provider: 'ldapmain',
      dn: 'UID=Grace, OU=People,DC=Example',
      externUid: 'uid=grace,ou=people,dc=example',
      uids: ['grace'],
      username: 'grace',
      email: 'g@example.com',
      name: 'Grace',
      isDisabled: false,
    });
  });

  it.each([
    ['512', true, false],
    ['514', true, true],
    ['66050', true, true],
    ['514', false, false],
  ])(
    'with account control %s, Active Directory %s, is disabled: %s',
    (control, activeDirectory, isDisabled) => {
      const told = entry({ uid: ['grace'], useraccountcontrol: [control] });
      expect(personOf(provider({ activeDirectory }), told)?.isDisabled).toBe(isDisabled);
    },
  );
});

import { DomainError } from '#libs/errors';
import type { ScimUser } from './scim-user';
import { readFilter } from './user-filter';

const user: ScimUser = {
  userId: 1,
  externUid: 'Abc-1',
  active: true,
  name: 'Grace Hopper',
  username: 'grace1',
  email: 'grace@corp.example',
  sentUserName: 'Grace@corp.example',
  givenName: null,
  familyName: null,
  provisioned: true,
  createdAt: new Date(),
  updatedAt: new Date(),
  groupPath: 'group',
};

describe('a filter', () => {
  it.each([
    ['id eq "abc-1"', 'id', 'abc-1'],
    ['externalId Eq "Abc-1"', 'id', 'Abc-1'],
    ['userName eq "grace1"', 'userName', 'grace1'],
    ['userName eq "grace@corp.example"', 'userName', 'grace@corp.example'],
    ['active eq true and emails eq "GRACE@corp.example"', 'email', 'GRACE@corp.example'],
    [
      'emails[type eq "work" and primary eq true].value eq "grace@corp.example"',
      'email',
      'grace@corp.example',
    ],
    ['(id eq "abc-1") and (userName eq "grace1" and active eq "true")', 'id', 'abc-1'],
  ])('%s is looked up by its key', (text, key, value) => {
    const filter = readFilter(text);
    expect([filter.key, filter.value, filter.matches(user)]).toEqual([key, value, true]);
  });

  it.each([
    'id eq "abc-1" and userName eq "other"',
    'id eq "abc-1" and active eq false',
    'emails[type eq "home"].value eq "grace@corp.example"',
    'userName eq ""',
    'id eq null',
    'id eq 1',
  ])('%s does not mean her', (text) => {
    expect(readFilter(text).matches(user)).toBe(false);
  });

  it.each([
    '',
    'id',
    'id eq',
    'id ne "x"',
    'id pr',
    'not (id eq "x")',
    'id eq "x" or id eq "y"',
    'active eq true',
    'emails.type eq "work"',
    'hasOwnProperty eq "x"',
    'userName eq "x" and __proto__ eq "y"',
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager eq "x"',
    `id eq "${'\n'.repeat(60)}`,
    `id eq "${'\\'.repeat(300)}`,
    '('.repeat(999),
    `id eq "${'x'.repeat(1_001)}"`,
  ])('%j is refused', (text) => {
    expect(() => readFilter(text)).toThrow(DomainError);
  });
});

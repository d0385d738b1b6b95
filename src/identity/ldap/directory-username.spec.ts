import { PathRules } from '../paths/path-rules';
import { cleanedUsername, usernames } from './directory-username';

describe('a username made of what a directory says', () => {
  it.each([
    ['grace', 'grace'],
    ['Grace.Hopper', 'Grace.Hopper'],
    ['grace@example.com', 'grace'],
    ['Jörg Müller', 'Jorg_Muller'],
    ['--grace', 'grace'],
    ['grace.git', 'grace'],
    ['grace.atom.git..', 'grace'],
    ['../../etc/passwd', '.._.._etc_passwd'],
    ['李', '_'],
    ['', 'user'],
    ['@', 'user'],
    ['.', 'user'],
  ])('%j gives %j', (name, username) => {
    expect(cleanedUsername(name)).toBe(username);
    expect(PathRules.problem(username)).toBeNull();
  });

  it('counts up where the name is taken, and passes over reserved names', () => {
    expect([...usernames('grace')].slice(0, 3)).toEqual(['grace', 'grace1', 'grace2']);
    expect(usernames('admin').next().value).toBe('admin1');
  });
});

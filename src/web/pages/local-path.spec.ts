import { localPath } from './local-path';

describe('the path to come back to', () => {
  it.each([
    ['/', '/'],
    ['/-/profile/password/edit', '/-/profile/password/edit'],
    ['/oauth/authorize?client_id=a&state=%2F%2Fb', '/oauth/authorize?client_id=a&state=%2F%2Fb'],
    ['/a/../b#c', '/b'],
    ['/redirect?to=https://example.com//x', '/redirect?to=https://example.com//x'],
  ])('may be %s', (given, path) => {
    expect(localPath(given)).toBe(path);
  });

  it.each([
    '',
    'users',
    'https://example.com/',
    '//example.com',
    '///example.com',
    '/\\example.com',
    '\\/example.com',
    '/\t/example.com',
    '/\n/example.com',
    ' //example.com',
    '/.//example.com',
    '/a/..//example.com',
    '/%2e//example.com',
    'javascript:alert(1)',
    `/${'a'.repeat(5000)}`,
  ])('may not be %j', (given) => {
    expect(localPath(given)).toBeNull();
  });
});

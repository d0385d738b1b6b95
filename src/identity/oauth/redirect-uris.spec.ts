import { redirectUriErrors, redirectUrisOf } from './redirect-uris';

describe('redirect URIs', () => {
  it('are written one to a line', () => {
    expect(redirectUrisOf(' https://a.example \r\n\nhttps://b.example\nhttps://a.example')).toEqual([
      'https://a.example',
      'https://b.example',
    ]);
  });

  it.each([
    'https://a.example',
    'https://a.example:8443/back?to=here',
    'http://localhost:3000/callback',
    'http://127.0.0.1/callback',
    'http://[::1]:4000/',
    'com.example.app:/oauth2redirect',
    'myapp://callback',
  ])('may be %s', (uri) => {
    expect(redirectUriErrors([uri])).toEqual([]);
  });

  it.each([
    ['nothing', []],
    ['more than twenty', Array.from({ length: 21 }, (_, i) => `https://a.example/${i}`)],
    ['relative', ['/callback']],
    ['without a scheme', ['//a.example/callback']],
    ['no address', ['callback']],
    ['a fragment', ['https://a.example/#x']],
    ['an empty fragment', ['https://a.example/#']],
    ['without TLS', ['http://a.example/']],
    ['a name that begins like this machine', ['http://localhost.evil.example/']],
    ['a user name', ['https://trusted.example@evil.example/']],
    ['a user name before this machine', ['http://localhost@evil.example/']],
    ['a backslash', ['https://evil.example\\.trusted.example/']],
    ['white space', ['https://a.example/ b']],
    ['a control character', ['https://a.example/\u0007']],
    ['letters that are read in several ways', ['https://ex\u00e4mple.example/']],
    ['no host', ['https:callback']],
    ['three slashes', ['https:///callback']],
    ['a script', ['javascript:alert(1)']],
    ['a script in capitals', ['JavaScript:alert(1)']],
    ['data', ['data:text/html,x']],
    ['a file', ['file:///etc/passwd']],
    ['the out-of-band address', ['urn:ietf:wg:oauth:2.0:oob']],
    ['too long', [`https://a.example/${'x'.repeat(2000)}`]],
    ['one bad among good', ['https://a.example', 'http://a.example']],
  ])('may not be %s', (_what, uris) => {
    expect(redirectUriErrors(uris)).toHaveLength(1);
  });
});

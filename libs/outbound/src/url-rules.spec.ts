import { refusalOf } from './url-rules';

const outside = (url: string) => refusalOf(url, { allowLocal: false });

describe('a URL that a user gives', () => {
  it.each([
    'http://example.com',
    'https://example.com/hook?a=b#c',
    'HTTPS://EXAMPLE.com:8443/',
    'http://user:p%40ss@example.com/',
    'http://8.8.8.8/',
    'http://[2606:4700::1111]:8080/',
    'http://127.0.0.1.example.com/',
    'http://mylocalhost/',
    'http://xn--mnchen-3ya.example/',
  ])('may be %s', (url) => {
    expect(outside(url)).toBeNull();
  });

  it.each([
    ['', 'malformed'],
    ['example.com', 'malformed'],
    ['//example.com/', 'malformed'],
    ['http:example.com', 'malformed'],
    ['http:///example.com', 'malformed'],
    ['http://', 'malformed'],
    ['http://?x', 'malformed'],
    ['http://exa mple.com/', 'malformed'],
    [' http://example.com/', 'malformed'],
    ['http://example.com/\r\nHost: other', 'malformed'],
    ['http://exam\tple.com/', 'malformed'],
    ['http://example.com/\0', 'malformed'],
    ['http:\\\\example.com\\', 'malformed'],
    ['http://example.com\\@127.0.0.1/', 'malformed'],
    ['http://example.com:99999/', 'malformed'],
    [`http://example.com/${'a'.repeat(2048)}`, 'malformed'],
    ['ftp://example.com/', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['gopher://example.com/', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
    ['httpx://example.com/', 'scheme'],
    ['git://[::ffff:127.0.0.1]:6379/', 'scheme'],
    ['http://example.com:25/', 'port'],
    ['https://example.com:22/', 'port'],
    ['http://user:a%0d%0ab@example.com/', 'header'],
    ['http://%00@example.com/', 'header'],
    ['http://%zz@example.com/', 'header'],
  ])('is not %j: %s', (url, refusal) => {
    expect(outside(url)).toBe(refusal);
  });

  // Cases 13 and 14 of the security cases: every way to write an address of this machine or of a network behind it.
  it.each([
    ...[
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f000001',
      '0x7f.1',
      '0177.0.0.1',
      '017700000001',
      '127.0.0.1.',
    ],
    ...['１２７.0.0.1', '127。0。0。1', '①②⑦.0.0.1', '%31%32%37.0.0.1', '0.0.0.0', '0', '127.255.255.254'],
    ...['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'ⓛocalhost', 'localhost.localdomain'],
    ...['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1', '198.18.0.1', '224.0.0.1'],
    ...['169.254.169.254', '2852039166', '0xa9fea9fe', '169.254.170.2', '100.100.100.200', '168.63.129.16'],
    ...['192.0.0.192', '192.0.2.1', '240.0.0.1', '255.255.255.255', 'metadata.google.internal', 'metadata'],
    ...['[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]'],
    ...[
      '[::ffff:8.8.8.8]',
      '[64:ff9b::127.0.0.1]',
      '[64:ff9b:1::a]',
      '[2002:7f00:1::]',
      '[2001::1]',
      '[fe80::1]',
    ],
    ...['[fec0::1]', '[fc00::1]', '[fd00:ec2::254]', '[ff02::1]', '[2001:db8::1]', '[100::1]', '[4000::1]'],
  ])('does not lead to %s', (host) => {
    for (const url of [`http://${host}/`, `https://user:password@${host}:8080/path`]) {
      expect(outside(url)).toBe('host');
    }
  });

  it('is malformed where an address has a zone of this machine', () => {
    expect(outside('http://[fe80::1%25eth0]/')).toBe('malformed');
  });

  it('may lead to this machine where the operator allows it, and keeps to the other rules', () => {
    const anywhere = (url: string) => refusalOf(url, { allowLocal: true });
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '10.0.0.1', '169.254.169.254'])
      expect(anywhere(`http://${host}:8080/`)).toBeNull();
    expect(anywhere('ftp://localhost/')).toBe('scheme');
    expect(anywhere('http://localhost:25/')).toBe('port');
    expect(anywhere('http://localhost/\n')).toBe('malformed');
  });
});

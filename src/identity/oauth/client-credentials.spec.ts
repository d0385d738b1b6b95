import { clientCredentialsOf } from './client-credentials';

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

describe('client credentials', () => {
  it('come in the header, each half encoded as in a form', () => {
    expect(clientCredentialsOf(basic('my%3Aid:a+b%2B'), {})).toEqual({
      clientId: 'my:id',
      clientSecret: 'a b+',
    });
    expect(clientCredentialsOf(basic('id:100%'), {})?.clientSecret).toBe('100%');
    expect(clientCredentialsOf(basic('id:'), {})).toEqual({ clientId: 'id', clientSecret: undefined });
  });

  it('or in the body', () => {
    const body = { client_id: 'id', client_secret: 'secret' };
    expect(clientCredentialsOf(undefined, body)).toEqual({ clientId: 'id', clientSecret: 'secret' });
    expect(clientCredentialsOf('Bearer abc', { client_id: 'id' })).toEqual({
      clientId: 'id',
      clientSecret: undefined,
    });
    expect(clientCredentialsOf(undefined, {})).toBeNull();
  });

  it('but not in both', () => {
    const sentTwice = () => clientCredentialsOf(basic('id:secret'), { client_secret: 'secret' });
    expect(sentTwice).toThrow(expect.objectContaining({ name: 'invalid_request' }));
    const another = () => clientCredentialsOf(basic('id:secret'), { client_id: 'other' });
    expect(another).toThrow(expect.objectContaining({ name: 'invalid_request' }));
    expect(clientCredentialsOf(basic('id:secret'), { client_id: 'id' })?.clientId).toBe('id');
  });

  it.each(['Basic', 'Basic ???', basic('no colon'), basic(':nobody')])('refuses %s', (header) => {
    expect(() => clientCredentialsOf(header, {})).toThrow(
      expect.objectContaining({ name: 'invalid_client' }),
    );
  });
});

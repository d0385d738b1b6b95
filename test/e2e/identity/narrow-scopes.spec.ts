import { useApplication } from '../../support/application';
import type { BuiltUser } from '../../support/builders';

const app = useApplication();

let admin: BuiltUser;
let reader: { token: string };
let user: BuiltUser;

beforeAll(async () => {
  admin = await app.current.build.user({ admin: true });
  user = await app.current.build.user();
  reader = { token: await app.current.build.token(admin, ['read_user']) };
  await app.current.as(admin).put(`/users/${user.id}/custom_attributes/room`, { value: '1' });
});

const READ = [
  '/user',
  '/user/activities',
  '/user/emails',
  '/user/gpg_keys',
  '/user/keys',
  '/user/status',
  '/users',
  '/users/:id',
  '/users/:id/custom_attributes',
  '/users/:id/custom_attributes/room',
  '/users/:id/emails',
  '/users/:id/gpg_keys',
  '/users/:id/impersonation_tokens',
  '/users/:id/keys',
  '/users/:id/status',
];
const pathOf = (row: string): string => row.replace(':id', String(user.id));

describe('the scope read_user', () => {
  it.each(READ)('reads GET %s', async (row) => {
    expect((await app.current.as(reader).get(pathOf(row))).status).toBe(200);
    expect((await app.current.as(reader).head(pathOf(row))).status).toBe(200);
  });

  it.each([
    ['put', '/user/status', { emoji: 'coffee' }],
    ['post', '/user/emails', { email: 'second@example.com' }],
    ['put', '/users/:id', { name: 'Other' }],
    ['put', '/users/:id/custom_attributes/room', { value: '2' }],
    ['post', '/users/:id/block', {}],
    ['post', '/users/:id/impersonation_tokens', { name: 'more', scopes: ['api'] }],
  ] as const)('does not write: %s %s', async (method, row, body) => {
    const answer = await app.current.as(reader)[method](pathOf(row), body);
    expect([answer.status, answer.body.error]).toEqual([403, 'insufficient_scope']);
  });

  it('gives nobody rights that they do not have', async () => {
    const token = await app.current.build.token(user, ['read_user']);
    for (const row of ['/user/activities', '/users/:id/custom_attributes', '/users/:id/impersonation_tokens'])
      expect((await app.current.as({ token }).get(pathOf(row))).body).toEqual({ message: '403 Forbidden' });
  });
});

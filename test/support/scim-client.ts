import type { Test } from 'supertest';
import type { ApiClient } from './api-client';
import type { TestApplication } from './application';
import type { BuiltGroup, BuiltUser } from './builders';

export const SCIM = 'application/scim+json';
export const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error';
export const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/** An identity provider that has the token of a group. */
export class ScimClient {
  constructor(
    private readonly api: ApiClient,
    /** Path below the server's root. */
    readonly base: string,
  ) {}

  get = (path = ''): Test => this.api.get(`${this.base}/Users${path}`);
  delete = (id: string): Test => this.api.delete(`${this.base}/Users/${encodeURIComponent(id)}`);
  at = (path: string): Test => this.api.get(`${this.base}${path}`);
  show = (id: string): Test => this.get(`/${encodeURIComponent(id)}`);
  filter = (text: string): Test => this.get(`?filter=${encodeURIComponent(text)}`);
  create = (user: object | string): Test =>
    this.api.post(`${this.base}/Users`).set('content-type', SCIM).send(body(user));
  put = (id: string, user: object): Test =>
    this.api.put(`${this.base}/Users/${id}`).set('content-type', SCIM).send(body(user));

  /** Operations in a message, or a whole message. */
  patch(id: string, message: object | string): Test {
    const sent = Array.isArray(message) ? { schemas: [PATCH_SCHEMA], Operations: message } : message;
    const path = `${this.base}/Users/${encodeURIComponent(id)}`;
    return this.api.patch(path).set('content-type', SCIM).send(body(sent));
  }
}

const body = (value: object | string): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Switches SCIM on as the owner does; answers the identity provider with the token. */
export async function provider(
  app: TestApplication,
  owner: BuiltUser,
  group: BuiltGroup,
): Promise<{ scim: ScimClient; token: string }> {
  const { body: answer } = await app.as(owner).put(`/groups/${group.id}/scim`, { enabled: true });
  const token = String(answer.token);
  return { scim: scimClient(app, group, token), token };
}

export const scimClient = (app: TestApplication, group: BuiltGroup, token: string): ScimClient =>
  new ScimClient(app.api.with({ authorization: `Bearer ${token}` }), `/api/scim/v2/groups/${group.fullPath}`);

/** As identity providers send somebody; `name` also is the username and the id. */
export const person = (name: string, more: object = {}): Record<string, unknown> => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  externalId: `id-of-${name}`,
  userName: name,
  active: true,
  name: { formatted: `Given ${name}`, givenName: 'Given', familyName: name },
  emails: [{ type: 'work', value: `${name}@corp.example`, primary: true }],
  meta: { resourceType: 'User' },
  ...more,
});

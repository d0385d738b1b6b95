import { timingSafeEqual } from 'node:crypto';
import { DomainError, notFound, unauthenticated } from '#libs/errors';
import { emptyBag, isBag, type ParameterBag, type ScimAdmission, type ScimGate } from '#libs/http';
import { License } from '#libs/tiers';
import { Injectable, Logger } from '@nestjs/common';
import { digestOf } from '../../identity/identity.api';
import { canonicalNames } from './attribute-names';
import type { ScimGroup } from './scim-group';
import { ScimTokensRepository, type ShownToken } from './scim-tokens.repository';

/** What the door looks at of a request. */
type Knock = Parameters<ScimGate['admit']>[0];

/** Longer ones are none of ours. */
const MAX_SECRET_LENGTH = 255;
const BEARER = /^Bearer +([\x21-\x7e]+) *$/i;

/** Lets the identity providers of groups in, each by the token of its group, and nobody else. */
@Injectable()
export class ScimDoor implements ScimGate {
  private readonly logger = new Logger('Scim');

  constructor(
    private readonly tokens: ScimTokensRepository,
    private readonly license: License,
  ) {}

  async admit(request: Knock): Promise<ScimAdmission> {
    const { group_path: segments = '', ...path } = request.params;
    const groupPath = Array.isArray(segments) ? segments.join('/') : segments;
    const subject = await this.groupOf(request.get('authorization'), groupPath);
    return { subject, parameters: { ...parametersOf(request), ...singles(path), group_path: groupPath } };
  }

  private async groupOf(authorization: string | undefined, groupPath: string): Promise<ScimGroup> {
    const secret = BEARER.exec(authorization ?? '')?.[1];
    if (secret === undefined || secret.length > MAX_SECRET_LENGTH) throw unauthenticated();
    const digest = digestOf(secret);
    const token = await this.tokens.shown(digest, groupPath);
    if (!token || !timingSafeEqual(token.digest, digest)) throw unauthenticated();
    if (!token.isInPlace) {
      // Not even a transfer back makes it good again.
      await this.tokens.discard(token);
      throw unauthenticated();
    }
    // Who has some group's token may learn that a path leads nowhere, but not that the token is of another group.
    if (token.askedId === null) throw notFound('Group');
    if (token.askedId !== token.groupId) throw unauthenticated();
    return this.opened(token);
  }

  private opened({ id, groupId, fullPath, samlProviderId, isSsoEnabled, isUseStale }: ShownToken): ScimGroup {
    if (samlProviderId === null || isSsoEnabled !== true || !this.license.has('group_scim'))
      throw notFound('Group');
    if (isUseStale) this.noteUse(id);
    return { id: groupId, fullPath, samlProviderId, tokenId: id };
  }

  /** Exact to ten minutes. Nobody waits for it. */
  private noteUse(id: number): void {
    this.tokens
      .noteUse(id)
      .catch((error: unknown) =>
        this.logger.warn({ err: error }, 'the last use of a SCIM token could not be noted'),
      );
  }
}

/** The query of a read, the JSON body of a write: no attribute comes from anywhere else. */
function parametersOf(request: Knock): ParameterBag {
  if (request.method === 'GET' || request.method === 'HEAD' || request.method === 'DELETE')
    return request.parameters ?? emptyBag();
  const { rawJson } = request;
  if (isBag(rawJson)) return canonicalNames(rawJson);
  throw new DomainError({
    kind: 'scim',
    scimType: 'invalidSyntax',
    detail: 'The body must be a JSON object of type application/scim+json',
  });
}

const singles = (path: Readonly<Record<string, string | string[]>>): ParameterBag =>
  Object.fromEntries(
    Object.entries(path).map(([name, value]) => [name, Array.isArray(value) ? value.join('/') : value]),
  );

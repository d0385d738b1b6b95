import { GROUP_POLICY, PROJECT_POLICY } from '#libs/access';
import { notFound } from '#libs/errors';
import { Readers } from '#libs/http';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { AvatarKind, AvatarOwner } from './avatar';
import { Avatars } from './avatars.service';

const KINDS: readonly AvatarKind[] = ['user', 'group', 'project'];

const kindOf = (text: string): AvatarKind | undefined => KINDS.find((kind) => kind === text);

/** A new picture has the same address when its file has the same name, so it is not kept for long unasked. */
const CACHING = {
  open: 'public, max-age=300, must-revalidate',
  hidden: 'private, max-age=0, must-revalidate',
} as const;

/**
 * Pictures for pages and clients, without a login as in the reference but for those of groups and projects that not
 * everybody sees. Not part of the API, hence no @Endpoint.
 */
@Controller('uploads/-/system')
export class AvatarsController {
  constructor(
    private readonly avatars: Avatars,
    private readonly readers: Readers,
  ) {}

  @Get(':kind/avatar/:id/:filename')
  async show(
    @Param() { kind: kindText = '', id = '', filename = '' }: Record<string, string>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const kind = kindOf(kindText);
    if (!kind || !/^\d{1,15}$/.test(id)) throw notFound();
    const owner = { kind, id: Number(id) };
    const openness = await this.requireVisible(owner, request, response);
    const avatar = await this.avatars.show(owner, filename);
    response.set({
      'Content-Type': avatar.contentType,
      'Content-Disposition': `inline; filename="${avatar.fileName}"`,
      'X-Content-Type-Options': 'nosniff',
      // Opened by itself, a picture is drawn and nothing else.
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cache-Control': CACHING[openness],
      ETag: `"${kind}-${id}-${avatar.updatedAt.getTime()}"`,
    });
    if (request.fresh) response.status(304).end();
    else response.set('Content-Length', String(avatar.content.length)).end(avatar.content);
  }

  /** Everybody sees people. Throws 404 for what the caller does not see. */
  private async requireVisible(
    { kind, id }: AvatarOwner,
    request: Request,
    response: Response,
  ): Promise<keyof typeof CACHING> {
    if (kind === 'user') return 'open';
    const { actor, resolution } = await this.readers.identify(request, response, { kind, id });
    const { project, group } = resolution;
    const isSeen = project
      ? PROJECT_POLICY.reader(actor, project)
      : group !== null && GROUP_POLICY.reader(actor, group);
    if (!isSeen) throw notFound();
    return (project ?? group)?.visibility === 'public' ? 'open' : 'hidden';
  }
}

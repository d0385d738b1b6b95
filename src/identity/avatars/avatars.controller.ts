import { notFound } from '#libs/errors';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { AvatarKind } from './avatar';
import { Avatars } from './avatars.service';

const KINDS: readonly AvatarKind[] = ['user', 'group', 'project'];

const kindOf = (text: string): AvatarKind | undefined => KINDS.find((kind) => kind === text);

/** A new picture has the same address when its file has the same name, so it is not kept for long unasked. */
const CACHING = 'public, max-age=300, must-revalidate';

/** Pictures for pages and clients, without a login as in the reference. Not part of the API, hence no @Endpoint. */
@Controller('uploads/-/system')
export class AvatarsController {
  constructor(private readonly avatars: Avatars) {}

  @Get(':kind/avatar/:id/:filename')
  async show(
    @Param() { kind: kindText = '', id = '', filename = '' }: Record<string, string>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const kind = kindOf(kindText);
    if (!kind || !/^\d{1,15}$/.test(id)) throw notFound();
    const avatar = await this.avatars.show({ kind, id: Number(id) }, filename);
    response.set({
      'Content-Type': avatar.contentType,
      'Content-Disposition': `inline; filename="${avatar.fileName}"`,
      'X-Content-Type-Options': 'nosniff',
      // Opened by itself, a picture is drawn and nothing else.
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cache-Control': CACHING,
      ETag: `"${kind}-${id}-${avatar.updatedAt.getTime()}"`,
    });
    if (request.fresh) response.status(304).end();
    else response.set('Content-Length', String(avatar.content.length)).end(avatar.content);
  }
}

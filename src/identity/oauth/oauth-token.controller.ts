import { addressOf } from '#libs/http';
import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { OAuthAnswer } from './oauth-answer';
import { TokenEndpoint, type ClientCall } from './token-endpoint.service';
import { TokenStatus } from './token-status.service';

/** What must not stand in an address, which proxies, histories and logs keep (RFC 6749, 2.3.1). */
const SECRETS = ['client_secret', 'password', 'code', 'code_verifier', 'refresh_token', 'token'] as const;

/** Where OAuth 2 clients talk to us. Its forms are those of the RFCs, not of the API, hence no @Endpoint. */
@Controller('oauth')
export class OAuthTokenController {
  constructor(
    private readonly tokens: TokenEndpoint,
    private readonly status: TokenStatus,
  ) {}

  @Post('token')
  async token(@Req() request: Request, @Res() response: Response): Promise<void> {
    send(response, refusedForAddress(request) ?? (await this.tokens.answer(callOf(request))));
  }

  @Get('token/info')
  async info(@Req() request: Request, @Res() response: Response): Promise<void> {
    send(response, await this.status.info(callOf(request)));
  }

  @Post('revoke')
  async revoke(@Req() request: Request, @Res() response: Response): Promise<void> {
    send(response, refusedForAddress(request) ?? (await this.status.revoke(callOf(request))));
  }

  @Post('introspect')
  async introspect(@Req() request: Request, @Res() response: Response): Promise<void> {
    send(response, refusedForAddress(request) ?? (await this.status.introspect(callOf(request))));
  }
}

const callOf = (request: Request): ClientCall => ({
  parameters: request.parameters ?? {},
  authorization: request.get('authorization'),
  address: addressOf(request),
});

function refusedForAddress({ url }: Request): OAuthAnswer | null {
  const query = new URLSearchParams(url.split('?').slice(1).join('?'));
  const found = SECRETS.find((name) => query.has(name));
  if (found === undefined) return null;
  const description = `Invalid request: \`${found}\` belongs in the body, not in the address`;
  return { status: 400, body: { error: 'invalid_request', error_description: description } };
}

function send(response: Response, { status, body, challenge }: OAuthAnswer): void {
  response.set({ 'Cache-Control': 'no-store', Pragma: 'no-cache' });
  if (challenge !== undefined) response.set('WWW-Authenticate', challenge);
  response.status(status).json(body);
}

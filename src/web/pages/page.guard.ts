import { addressOf, SESSION_COOKIE } from '#libs/http';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { Sessions, type Session } from '../../identity/identity.api';
import { cookieOf, cookieOptions } from './cookies';
import { Form } from './form';
import { FORM_COOKIE, formTokenOf, isOurs, newFormCookie } from './form-protection';
import { PAGE, type PageDefinition } from './page-definition';
import { FormRefused, GoElsewhere } from './page-errors';
import { PageSite } from './page-site';
import { Visit } from './visit';
import { keepVisit } from './visits';

export const SIGN_IN = '/users/sign_in';
export const CHANGE_PASSWORD = '/-/profile/password/edit';

/** The checks before every page, in this order: who is there, is the form ours, may they see the page. */
@Injectable()
export class PageGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly sessions: Sessions,
    private readonly site: PageSite,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const definition = this.reflector.get<PageDefinition>(PAGE, context.getHandler());
    const session = await this.sessions.find(cookieOf(request, SESSION_COOKIE));
    const visit = this.visit(request, http.getResponse<Response>(), session);
    keepVisit(request, visit);
    if (request.method === 'POST') this.requireOurForm(request, visit);
    if (definition.access === 'signed-in') requireSignedIn(request, visit, definition.withExpiredPassword);
    return true;
  }

  private visit(request: Request, response: Response, session: Session | null): Visit {
    return new Visit({
      session,
      form: new Form(request.parameters ?? {}),
      formToken: formTokenOf(session, session ? '' : this.formCookie(request, response)),
      cookies: (name) => cookieOf(request, name),
      pathParameters: request.params,
      address: request.originalUrl,
      clientAddress: addressOf(request),
      base: this.site.base,
    });
  }

  /** Given to a browser with the first page, and kept, so that several open forms stay good. */
  private formCookie(request: Request, response: Response): string {
    const known = cookieOf(request, FORM_COOKIE);
    if (known !== '') return known;
    const fresh = newFormCookie();
    response.cookie(FORM_COOKIE, fresh, cookieOptions(this.site));
    return fresh;
  }

  /** A script may send the token as a header instead. */
  private requireOurForm(request: Request, visit: Visit): void {
    const given = visit.form.text('authenticity_token') || (request.get('x-csrf-token') ?? '');
    if (!isOurs(request, visit.formToken, given, this.site.externalUrl)) throw new FormRefused();
  }
}

function requireSignedIn(request: Request, { session, address }: Visit, withExpiredPassword: boolean): void {
  if (!session) {
    const back = request.method === 'POST' ? '' : `?return_to=${encodeURIComponent(address)}`;
    throw new GoElsewhere(`${SIGN_IN}${back}`);
  }
  if (session.user.mustChangePassword && !withExpiredPassword) throw new GoElsewhere(CHANGE_PASSWORD);
}

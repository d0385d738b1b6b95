import { SESSION_COOKIE } from '#libs/http';
import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { layout } from '../rendering/layout';
import { cookieOptions } from './cookies';
import { NOTICES } from './notices';
import type { PageAnswer, SessionChange, ShownPage } from './page-answer';
import { PageSite } from './page-site';
import type { Visit } from './visit';

const policy = (formsLeadTo: ShownPage['formsLeadTo'] = []): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...(formsLeadTo === 'anywhere' ? [] : [["form-action 'self'", ...formsLeadTo].join(' ')]),
  ].join('; ');

/** Writes answers of pages: status, headers and cookies into the response, the text as its result. */
@Injectable()
export class PageWriter {
  constructor(private readonly site: PageSite) {}

  /** `visit` null: where it is not known who is there. */
  write(response: Response, visit: Visit | null, answer: PageAnswer): string {
    response.set({ 'Cache-Control': 'no-store', 'X-Frame-Options': 'DENY' });
    if (answer.session) this.changeSession(response, answer.session);
    if (answer.kind === 'shown') return this.page(response, visit, answer);
    response.status(response.req.method === 'POST' ? 303 : 302);
    response.set('Location', answer.isElsewhere ? answer.to : `${this.site.base}${answer.to}`);
    return '';
  }

  private page(response: Response, visit: Visit | null, answer: ShownPage): string {
    const { title, content, problems = [], status = problems.length > 0 ? 422 : 200 } = answer;
    response.status(status);
    response.set({
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy(answer.formsLeadTo),
    });
    const notice = NOTICES.get(visit?.form.text('notice') ?? '') ?? '';
    return layout({ title, content, problems, notice, visit, base: this.site.base }).text;
  }

  private changeSession(response: Response, change: SessionChange): void {
    if (change === 'ended') {
      response.clearCookie(SESSION_COOKIE, cookieOptions(this.site));
      return;
    }
    const { started, remember } = change;
    // Not remembered, it ends with the browser.
    const options = cookieOptions(this.site, remember ? started.lastsUntil : undefined);
    response.cookie(SESSION_COOKIE, started.cookie, options);
  }
}

import { Controller } from '@nestjs/common';
import {
  AUTHORIZATION_PARAMETERS,
  Authorizations,
  type AuthorizationVerdict,
} from '../../identity/identity.api';
import { messagePage } from '../pages/failure.page';
import { PersonalPage } from '../pages/page';
import { leave, type PageAnswer } from '../pages/page-answer';
import { type PersonalVisit, visitor } from '../pages/visit';
import { authorizePage } from './authorize.page';

/** Where applications send people to ask for their consent. */
@Controller()
export class AuthorizeController {
  constructor(private readonly authorizations: Authorizations) {}

  @PersonalPage('GET /oauth/authorize')
  async ask(visit: PersonalVisit): Promise<PageAnswer> {
    const query = queryOf(visit);
    return answerTo(visit, query, await this.authorizations.begin(visitor(visit), query));
  }

  /** As in the reference, a form says that it means DELETE: no browser sends that. */
  @PersonalPage('POST /oauth/authorize')
  async decide(visit: PersonalVisit): Promise<PageAnswer> {
    const query = queryOf(visit);
    const verdict =
      visit.form.text('_method') === 'delete'
        ? await this.authorizations.deny(visitor(visit), query)
        : await this.authorizations.approve(visitor(visit), query);
    return answerTo(visit, query, verdict);
  }
}

const queryOf = ({ form }: PersonalVisit): Record<string, string> =>
  Object.fromEntries(
    AUTHORIZATION_PARAMETERS.map((name): [string, string] => [name, form.text(name)]).filter(
      ([, value]) => value !== '',
    ),
  );

function answerTo(
  visit: PersonalVisit,
  query: Readonly<Record<string, string>>,
  verdict: AuthorizationVerdict,
): PageAnswer {
  switch (verdict.kind) {
    case 'refused':
      return messagePage(
        'The application is not set up properly',
        `${verdict.reason} Please tell those who run it.`,
        400,
      );
    case 'redirected':
      return leave(verdict.location);
    case 'asked':
      return authorizePage(visit, query, verdict.request);
  }
}

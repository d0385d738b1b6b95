import { Controller } from '@nestjs/common';
import { OwnTokens } from '../../identity/identity.api';
import { PersonalPage } from '../pages/page';
import { type PageAnswer, redirect } from '../pages/page-answer';
import { type PersonalVisit, visitor } from '../pages/visit';
import { draftOf, EMPTY_DRAFT, expiryProblems, tokenProblems } from './token-draft';
import { tokensPage, type TokensView } from './tokens.page';

const PATH = '/-/profile/personal_access_tokens';
const PER_PAGE = 50;

@Controller()
export class TokensController {
  constructor(private readonly tokens: OwnTokens) {}

  @PersonalPage(`GET ${PATH}`)
  list(visit: PersonalVisit): Promise<PageAnswer> {
    return this.page(visit, {});
  }

  /** Shows the secret in the answer to the form: nowhere is it kept for a further page. */
  @PersonalPage(`POST ${PATH}`)
  async create(visit: PersonalVisit): Promise<PageAnswer> {
    const draft = draftOf(visit.form);
    const problems = expiryProblems(draft, new Date().toISOString().slice(0, 10));
    if (problems.length > 0) return this.page(visit, { draft, problems });
    try {
      const secret = await this.tokens.create(visitor(visit), {
        ...draft,
        expiresAt: draft.expiresAt || null,
      });
      return await this.page(visit, { secret });
    } catch (error) {
      return this.page(visit, { draft, problems: tokenProblems(error) });
    }
  }

  @PersonalPage(`POST ${PATH}/:id/revoke`)
  async revoke(visit: PersonalVisit): Promise<PageAnswer> {
    await this.tokens.revoke(visitor(visit), visit.pathParameter('id'));
    return redirect(`${PATH}?notice=token_revoked`);
  }

  private async page(visit: PersonalVisit, shown: Partial<TokensView>): Promise<PageAnswer> {
    const asked = visit.form.text('page');
    const page = /^[1-9]\d{0,4}$/.test(asked) ? Number(asked) : 1;
    const { rows, hasNext } = await this.tokens.list(visitor(visit), { page, perPage: PER_PAGE });
    const nextPage = hasNext ? page + 1 : null;
    const nothing = { secret: '', draft: EMPTY_DRAFT, problems: [] };
    return tokensPage(visit, { ...nothing, ...shown, tokens: rows, nextPage });
  }
}

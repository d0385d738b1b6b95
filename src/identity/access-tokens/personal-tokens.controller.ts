import { Endpoint, type CallOf } from '#libs/http';
import { Controller } from '@nestjs/common';
import { CreateToken, ListPersonalTokens, PersonalTokenPath } from './access-token.params';
import { presentIssuedPersonalToken, presentPersonalToken } from './access-token.presenter';
import { PersonalTokens } from './personal-tokens.service';

@Controller()
export class PersonalTokensController {
  constructor(private readonly tokens: PersonalTokens) {}

  @Endpoint('GET /personal_access_tokens', {
    access: 'user',
    params: ListPersonalTokens,
    paginated: true,
    presents: presentPersonalToken,
  })
  list({ actor, params, page }: CallOf<typeof ListPersonalTokens>) {
    return this.tokens.list(actor, params, page);
  }

  @Endpoint('DELETE /personal_access_tokens/:id', { access: 'user', params: PersonalTokenPath })
  revoke({ actor, params }: CallOf<typeof PersonalTokenPath>) {
    return this.tokens.revoke(actor, params.id);
  }

  @Endpoint('POST /users/:user_id/personal_access_tokens', {
    access: 'admin',
    params: CreateToken,
    presents: presentIssuedPersonalToken,
  })
  create({ params }: CallOf<typeof CreateToken>) {
    return this.tokens.create(params);
  }
}

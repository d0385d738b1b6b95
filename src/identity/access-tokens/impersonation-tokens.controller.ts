import { Endpoint, type CallOf } from '#libs/http';
import { Controller } from '@nestjs/common';
import { CreateToken, ImpersonationTokenPath, ListImpersonationTokens } from './access-token.params';
import { presentImpersonationToken, presentIssuedImpersonationToken } from './access-token.presenter';
import { ImpersonationTokens } from './impersonation-tokens.service';

/** The reference asks for an administrator before it looks at anything else. */
const ADMIN = { access: 'admin', accessFirst: 'admin' } as const;
const READ = { ...ADMIN, scopes: ['read_user'] } as const;

@Controller()
export class ImpersonationTokensController {
  constructor(private readonly tokens: ImpersonationTokens) {}

  @Endpoint('GET /users/:user_id/impersonation_tokens', {
    ...READ,
    params: ListImpersonationTokens,
    paginated: true,
    presents: presentImpersonationToken,
  })
  list({ params, page }: CallOf<typeof ListImpersonationTokens>) {
    return this.tokens.list(params, page);
  }

  @Endpoint('GET /users/:user_id/impersonation_tokens/:impersonation_token_id', {
    ...READ,
    params: ImpersonationTokenPath,
    presents: presentImpersonationToken,
  })
  show({ params }: CallOf<typeof ImpersonationTokenPath>) {
    return this.tokens.show(params);
  }

  @Endpoint('POST /users/:user_id/impersonation_tokens', {
    ...ADMIN,
    params: CreateToken,
    presents: presentIssuedImpersonationToken,
  })
  create({ params }: CallOf<typeof CreateToken>) {
    return this.tokens.create(params);
  }

  @Endpoint('DELETE /users/:user_id/impersonation_tokens/:impersonation_token_id', {
    ...ADMIN,
    params: ImpersonationTokenPath,
  })
  revoke({ params, unmodifiedSince }: CallOf<typeof ImpersonationTokenPath>) {
    return this.tokens.revoke(params, unmodifiedSince);
  }
}

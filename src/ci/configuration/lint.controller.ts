import { Endpoint, type CallOf } from '#libs/http';
import { Controller } from '@nestjs/common';
import { LintConfiguration } from './lint.params';
import { presentLint } from './lint.presenter';
import { ConfigurationLint } from './lint.service';

/** The reference's check of a configuration, which asks for no account; here it does, for it costs time to read one. */
@Controller()
export class LintController {
  constructor(private readonly lint: ConfigurationLint) {}

  @Endpoint('POST /ci/lint', {
    access: 'user',
    params: LintConfiguration,
    presents: presentLint,
    status: 200,
  })
  check({ actor, params }: CallOf<typeof LintConfiguration>) {
    return this.lint.check(actor, params.content);
  }
}

import { Endpoint, RawAnswer, type CallOf } from '#libs/http';
import { Controller } from '@nestjs/common';
import { RegisterRunner, RunnerToken } from './runner.params';
import { presentRegisteredRunner } from './runner.presenter';
import { RunnerRegistration } from './runner-registration.service';

/** Nobody is signed in: what runners show is their token, or that of who they will serve. */
const RUNNER = { access: 'anyone', loginFirst: false, ownCredential: true } as const;

/** How runners come and go, as the reference's own runner speaks. */
@Controller()
export class RunnerRegistrationController {
  constructor(private readonly registration: RunnerRegistration) {}

  @Endpoint('POST /runners', { ...RUNNER, params: RegisterRunner, presents: presentRegisteredRunner })
  register({ params, address }: CallOf<typeof RegisterRunner>) {
    return this.registration.register(params, address);
  }

  @Endpoint('POST /runners/verify', { ...RUNNER, params: RunnerToken, status: 200 })
  async verify({ params, address }: CallOf<typeof RunnerToken>) {
    await this.registration.hear(params.token, params.info ?? {}, address);
    return new RawAnswer(Buffer.from('null'), { 'Content-Type': 'application/json' });
  }

  @Endpoint('DELETE /runners', { ...RUNNER, params: RunnerToken })
  unregister({ params }: CallOf<typeof RunnerToken>) {
    return this.registration.unregister(params.token);
  }
}

import { unauthenticated } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Passport } from 'passport';
import type { Credential } from './credential';
import { WAYS, type Way } from './strategies';

const isCredential = (value: unknown): value is Credential =>
  typeof value === 'object' && value !== null && 'secret' in value && typeof value.secret === 'string';

/** A strategy fails with 400 where a credential is there but cannot be one: it must not pass for an anonymous call. */
const isMalformed = (status: unknown): boolean =>
  status === 400 || (Array.isArray(status) && status.includes(400));

/** Takes the first credential out of a request, in the order of the strategies. */
@Injectable()
export class Authenticator {
  private readonly passport = new Passport();
  private readonly ways: readonly (Way & { readonly name: string })[];

  constructor() {
    this.ways = WAYS.map((way) => ({ ...way, name: way.strategy.name ?? '' }));
    for (const { name, strategy } of this.ways) this.passport.use(name, strategy);
  }

  /** Null when the request shows none. */
  async credentialOf(request: Request, response: Response): Promise<Credential | null> {
    // Most requests show one credential or none: to try the other strategies would cost more than all the rest here.
    const shown = this.ways.filter((way) => way.isShownIn(request)).map(({ name }) => name);
    return shown.length === 0 ? null : this.take(shown, request, response);
  }

  private take(strategies: string[], request: Request, response: Response): Promise<Credential | null> {
    return new Promise((resolve, reject) => {
      const settle = (error: Error | null, credential: unknown, _info: unknown, status: unknown): void => {
        if (error) reject(error);
        else if (!credential && isMalformed(status)) reject(unauthenticated());
        else resolve(isCredential(credential) ? credential : null);
      };
      // Its type definitions say nothing of what it makes, which is Express middleware.
      const middleware: unknown = this.passport.authenticate(strategies, { session: false }, settle);
      if (typeof middleware === 'function')
        Reflect.apply(middleware, this.passport, [request, response, reject]);
    });
  }
}

import { unauthenticated } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Passport } from 'passport';
import type { Credential } from './credential';
import { STRATEGIES } from './strategies';

const isCredential = (value: unknown): value is Credential =>
  typeof value === 'object' && value !== null && 'secret' in value && typeof value.secret === 'string';

/** A strategy fails with 400 where a credential is there but cannot be one: it must not pass for an anonymous call. */
const isMalformed = (status: unknown): boolean =>
  status === 400 || (Array.isArray(status) && status.includes(400));

/** Takes the first credential out of a request, in the order of the strategies. */
@Injectable()
export class Authenticator {
  private readonly passport = new Passport();
  private readonly names: string[] = [];

  constructor() {
    for (const strategy of STRATEGIES) {
      const name = strategy.name ?? '';
      this.passport.use(name, strategy);
      this.names.push(name);
    }
  }

  /** Null when the request shows none. */
  credentialOf(request: Request, response: Response): Promise<Credential | null> {
    return new Promise((resolve, reject) => {
      const settle = (error: Error | null, credential: unknown, _info: unknown, status: unknown): void => {
        if (error) reject(error);
        else if (!credential && isMalformed(status)) reject(unauthenticated());
        else resolve(isCredential(credential) ? credential : null);
      };
      // Its type definitions say nothing of what it makes, which is Express middleware.
      const middleware: unknown = this.passport.authenticate(this.names, { session: false }, settle);
      if (typeof middleware === 'function')
        Reflect.apply(middleware, this.passport, [request, response, reject]);
    });
  }
}

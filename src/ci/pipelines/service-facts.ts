import { Urls } from '#libs/presenting';
import { Injectable } from '@nestjs/common';
import { Version } from '../../identity/identity.api';

/** What jobs are told of this service. */
@Injectable()
export class ServiceFacts {
  constructor(
    readonly urls: Urls,
    readonly version: Version,
  ) {}
}

import { Endpoint, RawAnswer } from '#libs/http';
import { Controller } from '@nestjs/common';
import { NoParams } from './reference.params';
import { ReferenceDocument } from './reference-document';

@Controller()
export class OpenapiController {
  constructor(private readonly document: ReferenceDocument) {}

  @Endpoint('GET /openapi.json', { access: 'anyone', params: NoParams })
  get() {
    return new RawAnswer(this.document.json(), { 'Content-Type': 'application/json' });
  }
}

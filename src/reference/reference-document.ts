import { EndpointCatalogue } from '#libs/http';
import { Injectable } from '@nestjs/common';
import { openApiDocument } from './openapi-document';

/** The OpenAPI document as it goes over the wire; made when first asked for, the same until the process ends. */
@Injectable()
export class ReferenceDocument {
  private bytes: Buffer | null = null;

  constructor(private readonly catalogue: EndpointCatalogue) {}

  json(): Buffer {
    this.bytes ??= Buffer.from(JSON.stringify(openApiDocument(this.catalogue.entries())));
    return this.bytes;
  }
}

import { Module } from '@nestjs/common';
import { OpenapiController } from './openapi.controller';
import { ReferenceDocument } from './reference-document';
import { ReferencePageController } from './reference-page.controller';

/** The API reference: the OpenAPI document and a page that shows it. */
@Module({ controllers: [OpenapiController, ReferencePageController], providers: [ReferenceDocument] })
export class ReferenceModule {}

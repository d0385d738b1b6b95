import { Injectable } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { ENDPOINT, type EndpointDefinition } from './endpoint';

export interface CatalogueEntry {
  readonly controller: string;
  readonly handler: string;
  readonly definition: EndpointDefinition;
}

/** Every endpoint of the application, found by looking at the controllers: no list is kept by hand. */
@Injectable()
export class EndpointCatalogue {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  entries(): CatalogueEntry[] {
    return this.discovery.getControllers().flatMap(({ instance, metatype }) => {
      const prototype: unknown = instance ? Object.getPrototypeOf(instance) : null;
      if (!metatype || typeof prototype !== 'object' || prototype === null) return [];
      return this.scanner.getAllMethodNames(prototype).flatMap((handler) => {
        const method: unknown = Reflect.get(prototype, handler);
        if (typeof method !== 'function') return [];
        const definition: EndpointDefinition | undefined = Reflect.getMetadata(ENDPOINT, method);
        return definition ? [{ controller: metatype.name, handler, definition }] : [];
      });
    });
  }
}

import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { ENDPOINT, type EndpointDefinition } from './endpoint';

export interface CatalogueEntry {
  readonly controller: string;
  readonly handler: string;
  readonly definition: EndpointDefinition;
}

const isDefinition = (value: unknown): value is EndpointDefinition =>
  typeof value === 'object' && value !== null && 'row' in value;

/** Undefined for a method that is no endpoint, such as a page's. */
export function definitionOf(method: object): EndpointDefinition | undefined {
  const kept: unknown = Reflect.getMetadata(ENDPOINT, method);
  return isDefinition(kept) ? kept : undefined;
}

/** The endpoints of one controller, in the order of its methods. */
export function endpointsOf(controller: {
  readonly name: string;
  readonly prototype: unknown;
}): CatalogueEntry[] {
  const { prototype } = controller;
  if (typeof prototype !== 'object' || prototype === null) return [];
  return Object.getOwnPropertyNames(prototype).flatMap((handler) => {
    const method: unknown = Reflect.get(prototype, handler);
    if (typeof method !== 'function') return [];
    const definition = definitionOf(method);
    return definition ? [{ controller: controller.name, handler, definition }] : [];
  });
}

/** Every endpoint of the application, found by looking at the controllers: no list is kept by hand. */
@Injectable()
export class EndpointCatalogue {
  constructor(private readonly discovery: DiscoveryService) {}

  entries(): CatalogueEntry[] {
    return this.discovery.getControllers().flatMap(({ metatype }) => (metatype ? endpointsOf(metatype) : []));
  }
}

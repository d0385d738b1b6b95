import type { Actor } from '#libs/access';
import type { License } from '#libs/tiers';
import { z } from 'zod';
import type { Urls } from './urls';

export * from './content-disposition';
export * from './urls';
export * from './times';

/** The types of a record's fields; a record lists its fields in the specification's order. */
export const field = z;

/** What a presenter may know besides the entity: who looks, where the service is, and what it is licensed for. */
export interface View {
  readonly actor: Actor;
  readonly urls: Urls;
  readonly license: License;
}

/** A function from an entity to its record. The record's schema also is the OpenAPI schema. */
export interface Presenter<Entity, Fields = unknown> {
  (entity: Entity, view: View): Fields;
  readonly record: z.ZodType;
}

/** Ties a record's schema to the function that fills it, so that neither can drift from the other. */
export function presenter<Entity, Schema extends z.ZodType>(
  record: Schema,
  present: (entity: Entity, view: View) => z.output<Schema>,
): Presenter<Entity, z.output<Schema>> & { readonly record: Schema } {
  return Object.assign((entity: Entity, view: View) => present(entity, view), { record });
}

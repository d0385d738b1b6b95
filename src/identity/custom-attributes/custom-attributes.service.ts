import { invalid, notFound, type ValidationErrors } from '#libs/errors';
import type { Page, PageRequest } from '#libs/paging';
import { Injectable } from '@nestjs/common';
import type { AttributedKind, CustomAttribute } from './custom-attribute';
import { MAX_ATTRIBUTE_LENGTH } from './custom-attribute.params';
import { CustomAttributesRepository } from './custom-attributes.repository';

/** What the attributes are upon. */
export interface AttributeOwner {
  readonly kind: AttributedKind;
  readonly id: number;
}

/** What administrators note upon users, groups and projects. */
@Injectable()
export class CustomAttributes {
  constructor(private readonly attributes: CustomAttributesRepository) {}

  /** By owner, an empty list where there are none; one query, however many owners. */
  async of(
    kind: AttributedKind,
    ownerIds: readonly number[],
  ): Promise<ReadonlyMap<number, readonly CustomAttribute[]>> {
    const found = new Map<number, CustomAttribute[]>(ownerIds.map((id) => [id, []]));
    if (ownerIds.length === 0) return found;
    for (const { owner_id: id, key, value } of await this.attributes.of(kind, ownerIds))
      found.get(id)?.push({ key, value });
    return found;
  }

  list({ kind, id }: AttributeOwner, page: PageRequest): Promise<Page<CustomAttribute>> {
    return this.attributes.page(kind, id, page);
  }

  /** Throws "404 Custom Attribute Not Found". */
  async show({ kind, id }: AttributeOwner, key: string): Promise<CustomAttribute> {
    const found = await this.attributes.find(kind, id, key);
    if (!found) throw notFound('Custom Attribute');
    return found;
  }

  /** Adds or replaces. Throws `validation` for what is blank or too long. */
  async set({ kind, id }: AttributeOwner, attribute: CustomAttribute): Promise<CustomAttribute> {
    refuseInvalid(attribute);
    await this.attributes.set(kind, id, attribute);
    return attribute;
  }

  /** Throws "404 Custom Attribute Not Found". */
  async remove({ kind, id }: AttributeOwner, key: string): Promise<void> {
    if (!(await this.attributes.remove(kind, id, key))) throw notFound('Custom Attribute');
  }
}

function refuseInvalid({ key, value }: CustomAttribute): void {
  const errors: ValidationErrors = {};
  for (const [property, text] of Object.entries({ key, value })) {
    if (text.trim() === '') errors[property] = ["can't be blank"];
    if (text.length > MAX_ATTRIBUTE_LENGTH)
      errors[property] = [`is too long (maximum is ${MAX_ATTRIBUTE_LENGTH} characters)`];
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

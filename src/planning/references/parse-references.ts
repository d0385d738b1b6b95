import { keyOf, MOST_REFERENCES, type Reference, type ReferenceOptions } from './reference';
import { withoutCode } from './without-code';
import { writtenReferences } from './written-reference';

/**
 * What a text names: "#1", "!2", "$3", "&4", "group/project#5", shas and links into this service; each once, in the order
 * of the text, MOST_REFERENCES at most. Takes time in proportion to the text's length.
 */
export function parseReferences(text: string, { base }: ReferenceOptions): Reference[] {
  const found = new Map<string, Reference>();
  for (const { reference } of writtenReferences(withoutCode(text), base)) {
    const key = keyOf(reference);
    if (!found.has(key)) found.set(key, reference);
    if (found.size >= MOST_REFERENCES) break;
  }
  return [...found.values()];
}

import { DomainError } from '#libs/errors';
import type { Problem } from './page-answer';

/**
 * What was refused of a form, beside its fields: that of the property `name` has the id `<prefix>_name`. `labels` is how
 * a sentence about a property begins. Throws on what is no refusal of these properties.
 */
export function fieldProblems(
  error: unknown,
  prefix: string,
  labels: Readonly<Record<string, string>>,
): Problem[] {
  if (!(error instanceof DomainError) || error.detail.kind !== 'validation') throw error;
  return Object.entries(error.detail.errors).flatMap(([name, texts]) => {
    const label = labels[name];
    if (!Array.isArray(texts) || label === undefined) throw error;
    return texts.map((text) => ({ field: `${prefix}_${name}`, text: `${label} ${text}.` }));
  });
}

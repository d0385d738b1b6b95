import { field, presenter } from '#libs/presenting';
import type { LintResult } from './lint-result';

export const presentLint = presenter(
  field.object({ status: field.string(), errors: field.array(field.string()) }),
  ({ errors }: LintResult) => ({ status: errors.length === 0 ? 'valid' : 'invalid', errors: [...errors] }),
);

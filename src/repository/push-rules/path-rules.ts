import type { ActiveRule } from './active-rule';
import { secretPatternOf } from './secret-files';

/** The sentence with which the rule refuses a new name of a file; null where it lets it be. */
export function pathRefusal({ fileName, preventsSecrets }: ActiveRule, path: string): string | null {
  const pattern =
    (preventsSecrets ? secretPatternOf(path) : null) ?? (fileName?.fits(path) ? fileName.source : null);
  return pattern === null ? null : `File name ${path} was blacklisted by the pattern ${pattern}.`;
}

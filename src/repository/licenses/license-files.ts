/** Names of files that licence a project, the surest first; of several of one rank the first counts. */
const NAMES = [
  /^(?:un)?licen[sc]e$/i,
  /^(?:un)?licen[sc]e\.(?:md|markdown|txt|rst|adoc|html)$/i,
  /^copying$/i,
  /^copying\.(?:md|markdown|txt|rst|lesser)$/i,
  /^(?:un)?licen[sc]e[.-][\w.-]+$/i,
  /^[\w.]+-licen[sc]e(?:\.(?:md|txt))?$/i,
  /^copying[.-][\w.-]+$/i,
  /^copyright(?:\.(?:md|txt))?$/i,
];

/** The file among those at the top of a repository in which its licence is looked for; null where there is none. */
export function licenseFileOf<Entry extends { readonly name: string }>(
  entries: readonly Entry[],
): Entry | null {
  for (const pattern of NAMES) {
    const found = entries.find(({ name }) => pattern.test(name));
    if (found) return found;
  }
  return null;
}

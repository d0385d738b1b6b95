/** What is wrong with a configuration: nothing, or the first thing. */
export interface LintResult {
  readonly errors: readonly string[];
}

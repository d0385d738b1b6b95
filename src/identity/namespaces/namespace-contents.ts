/** What namespaces need to know of what they hold to get rid of it. Bound in the context that owns projects. */
export abstract class NamespaceContents {
  /**
   * Removes some of the projects in the namespace and below it, each with its repository, and answers how many. Those
   * that are already being removed count too: 0 means that nothing is left. Begins no further one once the signal is
   * aborted.
   */
  abstract removeSome(namespaceId: number, limit: number, signal: AbortSignal): Promise<number>;
}

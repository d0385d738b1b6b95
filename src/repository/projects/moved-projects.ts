/** What the contexts above keep of a project, and which depends on the groups that it is in. */
export abstract class MovedProjects {
  /**
   * What a project has of groups that it is not in any more becomes its own. Called in the transaction of the move,
   * when the project is in its new namespace.
   */
  abstract settle(project: { readonly id: number; readonly namespaceId: number }): Promise<void>;
}

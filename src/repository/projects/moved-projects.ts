/** What the contexts above keep of a project, and which depends on the groups that it is in. */
export abstract class MovedProjects {
  /**
   * What a project has of groups that it will not be in any more becomes its own, and until the transaction ends nobody
   * gives it more of them. Called with the project's next namespace, in the transaction of the move and before that
   * holds the project: whoever changes things in a project holds these first. Gives up where it would have to wait long.
   */
  abstract settle(project: { readonly id: number; readonly namespaceId: number }): Promise<void>;
}

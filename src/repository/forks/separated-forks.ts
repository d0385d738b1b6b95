/** What the contexts above keep between projects that were forked from one another. Bound in `app.module.ts`. */
export abstract class SeparatedForks {
  /**
   * Ends what goes on between the project, or what was forked from it, and projects it has nothing to do with any more;
   * all that comes from it where it is deleted. `actorId` is whoever separated them, null for the system itself.
   * Idempotent.
   */
  abstract settle(projectId: number, actorId: number | null): Promise<void>;
}

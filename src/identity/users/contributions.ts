/**
 * What people have written and made in places that are not their own. The contexts above implement it for what they
 * keep; `AllContributions` puts them together.
 */
export abstract class Contributions {
  /** A bounded part of the user's contributions becomes the ghost's. False when nothing is left. */
  abstract handOverSome(userId: number, ghostId: number): Promise<boolean>;

  /**
   * A bounded part of the user's contributions is deleted; what belongs to a project rather than to its author (results
   * of builds, releases) loses the author or becomes the ghost's. False when nothing is left.
   */
  abstract removeSome(userId: number, ghostId: number): Promise<boolean>;
}

export class AllContributions extends Contributions {
  constructor(private readonly parts: readonly Contributions[]) {
    super();
  }

  async handOverSome(userId: number, ghostId: number): Promise<boolean> {
    for (const part of this.parts) if (await part.handOverSome(userId, ghostId)) return true;
    return false;
  }

  async removeSome(userId: number, ghostId: number): Promise<boolean> {
    for (const part of this.parts) if (await part.removeSome(userId, ghostId)) return true;
    return false;
  }
}

export interface QueueLimits {
  /** That wait at once. */
  readonly waiting: number;
  /** Of one owner. */
  readonly waitingOfOne: number;
}

/** Things that wait, each owner's in their order. Owners take turns, so that nobody waits behind all of another's. */
export class FairQueue<Item> {
  /** In the order of their turns; owners of nothing are not kept. */
  private readonly byOwner = new Map<string, Item[]>();
  private size = 0;

  constructor(private readonly limits: QueueLimits) {}

  /** False where too many wait already. */
  add(owner: string, item: Item): boolean {
    const own = this.byOwner.get(owner) ?? [];
    if (this.size >= this.limits.waiting || own.length >= this.limits.waitingOfOne) return false;
    this.byOwner.set(owner, [...own, item]);
    this.size += 1;
    return true;
  }

  next(): Item | undefined {
    const [turn] = this.byOwner;
    if (!turn) return undefined;
    const [owner, [item, ...others]] = turn;
    this.byOwner.delete(owner);
    if (others.length > 0) this.byOwner.set(owner, others);
    this.size -= 1;
    return item;
  }

  /** All that waited. */
  clear(): Item[] {
    const all = [...this.byOwner.values()].flat();
    this.byOwner.clear();
    this.size = 0;
    return all;
  }
}

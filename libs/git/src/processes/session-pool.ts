import type { Running, SpawnBroker } from './spawn-broker';

/** A long-lived process in use. */
export interface Session {
  /** Lost: every further request would fail. */
  readonly isBroken: boolean;
  /** Lets the process end by itself after what it was asked. */
  end(): void;
  /** Ends it now. */
  kill(): void;
}

/**
 * One sort of long-lived process. Make one constant of it per module:
 * `const OBJECTS = new SessionKind({ args: [...], start: (running) => new ObjectSession(running), ... })`,
 * then `pool.use(OBJECTS, repository, (session) => session.read(...))`.
 */
export class SessionKind<S extends Session> {
  private readonly pools = new WeakMap<Residency, SessionPool<S>>();

  constructor(
    readonly options: {
      /** git's subcommand and its arguments. */
      readonly args: readonly string[];
      start(running: Running): S;
      /** Processes of this kind per repository at most. */
      readonly mostPerRepository: number;
      /** Uses of one process at once before another process is started. */
      readonly crowdedAt: number;
    },
  ) {}

  /** The sessions of this kind that `pool` holds. */
  in(pool: Residency): SessionPool<S> {
    const known = this.pools.get(pool);
    if (known) return known;
    const made = new SessionPool<S>(pool, this);
    this.pools.set(pool, made);
    return made;
  }
}

/** What the pool must know of a kept process to decide who has to go. */
export interface Resident {
  readonly repository: string;
  readonly startedAt: number;
  readonly lastUsedAt: number;
  readonly isIdle: boolean;
  /** No further use; the process ends when its present uses have. */
  retire(): void;
  kill(): void;
}

/** Where sessions live: the process pool, as their sort sees it. */
export interface Residency {
  readonly broker: SpawnBroker;
  readonly env: Readonly<Record<string, string>> | undefined;
  /** A resident was started or used. */
  touched(resident: Resident): void;
  /** A resident is gone. */
  left(resident: Resident): void;
}

/** The processes of one kind, by repository. */
export class SessionPool<S extends Session> {
  private readonly slots = new Map<string, Slot<S>[]>();

  constructor(
    private readonly pool: Residency,
    private readonly kind: SessionKind<S>,
  ) {}

  /** Lends the least crowded process, or a new one, to `work`. */
  async lend<T>(repository: string, work: (session: S) => Promise<T>): Promise<T> {
    const slot = this.choose(repository);
    slot.users += 1;
    slot.lastUsedAt = Date.now();
    this.pool.touched(slot);
    try {
      return await work(await slot.session);
    } finally {
      slot.users -= 1;
      slot.lastUsedAt = Date.now();
      slot.settle();
    }
  }

  private choose(repository: string): Slot<S> {
    const slots = this.slots.get(repository) ?? [];
    let best: Slot<S> | undefined;
    for (const slot of [...slots]) {
      if (slot.isBroken) slot.retire();
      else if (best === undefined || slot.users < best.users) best = slot;
    }
    const { crowdedAt, mostPerRepository } = this.kind.options;
    if (best !== undefined && (best.users < crowdedAt || slots.length >= mostPerRepository)) return best;
    return this.open(repository);
  }

  private open(repository: string): Slot<S> {
    const slot = new Slot<S>(repository, this.start(repository), (gone) => this.drop(gone));
    this.slots.set(repository, [...(this.slots.get(repository) ?? []), slot]);
    return slot;
  }

  private async start(repository: string): Promise<S> {
    const running = await this.pool.broker.stream({
      repository,
      args: this.kind.options.args,
      env: this.pool.env,
      timeoutMs: 0,
      lane: 'resident',
    });
    return this.kind.options.start(running);
  }

  private drop(slot: Slot<S>): void {
    this.pool.left(slot);
    const left = (this.slots.get(slot.repository) ?? []).filter((other) => other !== slot);
    if (left.length > 0) this.slots.set(slot.repository, left);
    else this.slots.delete(slot.repository);
  }
}

/** One kept process, perhaps still starting. */
class Slot<S extends Session> implements Resident {
  readonly startedAt = Date.now();
  lastUsedAt = Date.now();
  users = 0;
  private opened: S | undefined;
  private failed = false;
  private retired = false;

  constructor(
    readonly repository: string,
    readonly session: Promise<S>,
    private readonly onRetired: (slot: Slot<S>) => void,
  ) {
    session.then(
      (opened) => {
        this.opened = opened;
        this.settle();
      },
      () => {
        this.failed = true;
        this.retire();
      },
    );
  }

  get isIdle(): boolean {
    return this.users === 0;
  }

  get isBroken(): boolean {
    return this.failed || this.opened?.isBroken === true;
  }

  retire(): void {
    if (this.retired) return;
    this.retired = true;
    this.onRetired(this);
    this.settle();
  }

  kill(): void {
    this.retire();
    this.session.then(
      (opened) => opened.kill(),
      () => undefined,
    );
  }

  /** Ends the process once it is retired and nobody uses it; drops it when it broke. */
  settle(): void {
    if (this.isBroken) this.retire();
    if (this.retired && this.isIdle) this.opened?.end();
  }
}

import { GitProcessError } from '../git';
import type { Residency, Resident, Session, SessionKind } from './session-pool';
import type { SpawnBroker } from './spawn-broker';

export interface ProcessPoolOptions {
  /** Processes kept, all repositories and kinds together (busy ones are never ended for room). */
  readonly mostProcesses?: number;
  readonly idleMs?: number;
  /** A process that is never idle is replaced after this time: it would keep deleted packs on disk. */
  readonly longestLifeMs?: number;
  /** Added to every process's environment (a push's quarantine). */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** Long-lived git processes of the repositories in use: least recently used ones go first, idle ones after a minute. */
export class ProcessPool implements Residency {
  readonly env: Readonly<Record<string, string>> | undefined;
  /** In order of last use. */
  private readonly residents = new Set<Resident>();
  private readonly mostProcesses: number;
  private readonly idleMs: number;
  private readonly longestLifeMs: number;
  private sweeper: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(
    readonly broker: SpawnBroker,
    options: ProcessPoolOptions = {},
  ) {
    this.env = options.env;
    this.mostProcesses = options.mostProcesses ?? 48;
    this.idleMs = options.idleMs ?? 60_000;
    this.longestLifeMs = options.longestLifeMs ?? 600_000;
  }

  /**
   * Lends a process of `kind` for `repository` to `work`. When the process is lost on the way, `work` is called once
   * more with a fresh one, so it must be safe to repeat.
   */
  async use<S extends Session, T>(
    kind: SessionKind<S>,
    repository: string,
    work: (session: S) => Promise<T>,
  ): Promise<T> {
    const sessions = kind.in(this);
    try {
      return await sessions.lend(repository, work);
    } catch (error) {
      if (!(error instanceof GitProcessError) || this.closed) throw error;
      return sessions.lend(repository, work);
    }
  }

  /** As `use`, for work that must not be repeated. */
  useOnce<S extends Session, T>(
    kind: SessionKind<S>,
    repository: string,
    work: (session: S) => Promise<T>,
  ): Promise<T> {
    return kind.in(this).lend(repository, work);
  }

  /** Processes kept at present. */
  get size(): number {
    return this.residents.size;
  }

  /** Lets go of a repository's processes: after maintenance, and when it is removed. */
  forget(repository: string): void {
    for (const resident of [...this.residents]) if (resident.repository === repository) resident.retire();
  }

  /** Ends every process. */
  close(): void {
    this.closed = true;
    clearInterval(this.sweeper);
    for (const resident of [...this.residents]) resident.kill();
    this.residents.clear();
  }

  touched(resident: Resident): void {
    if (this.closed) return resident.kill();
    this.residents.delete(resident);
    this.residents.add(resident);
    this.sweeper ??= setInterval(() => this.sweep(), this.idleMs / 4).unref();
    if (this.residents.size > this.mostProcesses) this.makeRoom();
  }

  left(resident: Resident): void {
    this.residents.delete(resident);
  }

  private makeRoom(): void {
    for (const resident of [...this.residents]) {
      if (this.residents.size <= this.mostProcesses) return;
      if (resident.isIdle) resident.retire();
    }
  }

  private sweep(): void {
    const now = Date.now();
    for (const resident of [...this.residents]) {
      const isUnused = resident.isIdle && now - resident.lastUsedAt > this.idleMs;
      if (isUnused || now - resident.startedAt > this.longestLifeMs) resident.retire();
    }
    this.makeRoom();
  }
}

import { existsSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { GitProcessError, RefConflictError, ZERO_SHA, type RefUpdate, type Sha } from '../git';
import { ProcessPool } from '../processes/process-pool';
import { SpawnBroker } from '../processes/spawn-broker';
import { REF_SESSIONS } from './ref-session';
import { ALICE, contextOf, ScratchRepository } from './scratch-repository.fixture';
import { ABANDONED_LOCK_MS } from './stale-locks';
import { RepositoryWriter } from './writer';

let repository: ScratchRepository;
let first: Sha;
let second: Sha;

beforeAll(async () => {
  repository = await ScratchRepository.create();
  first = repository.commitByGit([['100644', 'f', '1']]);
  second = repository.commitByGit([['100644', 'f', '2']], [first]);
});
afterAll(() => repository.close());

function move(ref: string, oldSha: Sha, newSha: Sha): Promise<void> {
  return repository.writer.updateRefs([{ ref, oldSha, newSha }]);
}

const valueOf = (ref: string) => repository.git(['for-each-ref', '--format=%(objectname)', ref]);

async function conflictOn(updates: readonly RefUpdate[]): Promise<string> {
  try {
    await repository.writer.updateRefs(updates);
    return 'moved';
  } catch (error) {
    if (error instanceof RefConflictError) return error.ref;
    throw error;
  }
}

describe('moving refs', () => {
  it('creates, moves and deletes', async () => {
    await move('refs/heads/a/deep/one', ZERO_SHA, first);
    expect(valueOf('refs/heads/a/deep/one')).toBe(first);
    await move('refs/heads/a/deep/one', first, second);
    expect(valueOf('refs/heads/a/deep/one')).toBe(second);
    repository.git(['pack-refs', '--all']);
    await move('refs/heads/a/deep/one', second, ZERO_SHA);
    expect(valueOf('refs/heads/a/deep/one')).toBe('');
  });

  it('refuses a ref that is elsewhere, exists, or is gone, and serves the next transaction', async () => {
    const ref = 'refs/heads/cas';
    await move(ref, ZERO_SHA, first);
    expect(await conflictOn([{ ref, oldSha: second, newSha: first }])).toBe(ref);
    expect(await conflictOn([{ ref, oldSha: ZERO_SHA, newSha: second }])).toBe(ref);
    expect(await conflictOn([{ ref, oldSha: second, newSha: ZERO_SHA }])).toBe(ref);
    expect(await conflictOn([{ ref: 'refs/heads/gone', oldSha: first, newSha: second }])).toBe(
      'refs/heads/gone',
    );
    expect(await conflictOn([{ ref: 'refs/heads/gone', oldSha: first, newSha: ZERO_SHA }])).toBe(
      'refs/heads/gone',
    );
    expect(valueOf(ref)).toBe(first);
    await move(ref, first, second);
    expect(valueOf(ref)).toBe(second);
  });

  it('refuses a name that is a folder of refs, or lies below a ref', async () => {
    await move('refs/heads/d/f', ZERO_SHA, first);
    expect(await conflictOn([{ ref: 'refs/heads/d', oldSha: ZERO_SHA, newSha: first }])).toBe('refs/heads/d');
    expect(await conflictOn([{ ref: 'refs/heads/d/f/g', oldSha: ZERO_SHA, newSha: first }])).toBe(
      'refs/heads/d/f/g',
    );
    repository.git(['pack-refs', '--all']);
    expect(await conflictOn([{ ref: 'refs/heads/d', oldSha: ZERO_SHA, newSha: first }])).toBe('refs/heads/d');
    expect(await conflictOn([{ ref: 'refs/heads/d/f/g', oldSha: ZERO_SHA, newSha: first }])).toBe(
      'refs/heads/d/f/g',
    );
  });

  it('moves all or none', async () => {
    const updates = [
      { ref: 'refs/heads/all-1', oldSha: ZERO_SHA, newSha: first },
      { ref: 'refs/tags/all-2', oldSha: second, newSha: first },
    ];
    expect(await conflictOn(updates)).toBe('refs/tags/all-2');
    expect(valueOf('refs/heads/all-1')).toBe('');
  });

  it('waits for a lock longer than git would', async () => {
    const ref = 'refs/heads/locked';
    await move(ref, ZERO_SHA, first);
    const lock = path.join(repository.path, `${ref}.lock`);
    writeFileSync(lock, '');
    setTimeout(() => rmSync(lock), 1_500);
    await move(ref, first, second);
    expect(existsSync(lock)).toBe(false);
    expect(valueOf(ref)).toBe(second);
  });

  it('waits for a lock that is held for a moment', async () => {
    const ref = 'refs/heads/held';
    await move(ref, ZERO_SHA, first);
    const lock = path.join(repository.path, `${ref}.lock`);
    writeFileSync(lock, '');
    setTimeout(() => rmSync(lock), 100);
    await move(ref, first, second);
    expect(existsSync(lock)).toBe(false);
    expect(valueOf(ref)).toBe(second);
  });

  it('names git’s refusal of an object that is not there', async () => {
    await expect(move('refs/heads/nothing', ZERO_SHA, '12'.repeat(20))).rejects.toThrow(GitProcessError);
  });

  it.each(['main', 'refs/heads/a b', 'refs/heads/x\nstart', 'refs/heads/..', 'HEAD'])(
    'refuses the name %j',
    async (ref) => {
      await expect(move(ref, ZERO_SHA, first)).rejects.toThrow(RangeError);
    },
  );

  it('survives the death of its process, between and under transactions', async () => {
    const ref = 'refs/heads/killed';
    await move(ref, ZERO_SHA, first);
    const kill = () =>
      repository.pool.useOnce(REF_SESSIONS, repository.path, async (session) => {
        session.kill();
      });
    await kill();
    await move(ref, first, second);
    expect(valueOf(ref)).toBe(second);
    const moving = move(ref, second, first);
    await Promise.all([kill(), moving]);
    expect(valueOf(ref)).toBe(first);
  });

  it('points HEAD at a branch that need not exist', async () => {
    await repository.writer.setHead('not/born');
    expect(repository.git(['symbolic-ref', 'HEAD'])).toBe('refs/heads/not/born');
    await expect(repository.writer.setHead('refs/heads/x')).rejects.toThrow(RangeError);
  });
});

describe('writers that race', () => {
  const secondBroker = new SpawnBroker();
  const secondPool = new ProcessPool(secondBroker);
  afterAll(async () => {
    secondPool.close();
    await secondBroker.close();
  });

  /** Adds files to one branch until `count` of them are acknowledged. */
  async function add(
    writer: RepositoryWriter,
    name: string,
    count: number,
    tip: () => string,
  ): Promise<void> {
    for (let done = 0; done < count;) {
      const base = tip();
      const sha = await writer.createCommit({
        base,
        actions: [{ action: 'create', path: `${name}/${done}`, content: Buffer.from(`${name} ${done}`) }],
        message: name,
        author: ALICE,
        committer: ALICE,
      });
      try {
        await writer.updateRefs([{ ref: 'refs/heads/race', oldSha: base, newSha: sha }]);
        done += 1;
      } catch (error) {
        if (!(error instanceof RefConflictError)) throw error;
      }
    }
  }

  it('lose no update, git’s own writers and a repack among them', async () => {
    await move('refs/heads/race', ZERO_SHA, first);
    const other = new RepositoryWriter(
      contextOf(repository.location, secondBroker, secondPool, repository.disk),
    );
    const tip = () => valueOf('refs/heads/race');
    let isOver = false;
    const pack = async () => {
      while (!isOver) {
        for (const args of [
          ['pack-refs', '--all'],
          ['repack', '-adq'],
          ['prune-packed', '-q'],
        ]) {
          await repository.broker.run({ repository: repository.path, args });
        }
      }
    };
    const byGit = async () => {
      for (let done = 0; done < 10;) {
        const base = tip();
        const sha = repository.git(['commit-tree', `${base}^{tree}`, '-p', base, '-m', 'cli']);
        const args = ['update-ref', 'refs/heads/race', sha, base];
        const { code } = await repository.broker.run({ repository: repository.path, args });
        if (code === 0) done += 1;
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
    };
    const packing = pack();
    await Promise.all([add(repository.writer, 'one', 20, tip), add(other, 'two', 20, tip), byGit()]);
    isOver = true;
    await packing;
    expect(Number(repository.git(['rev-list', '--count', 'refs/heads/race']))).toBe(1 + 20 + 20 + 10);
    expect(repository.files('refs/heads/race')).toHaveLength(1 + 40);
    expect(repository.complaints()).toBe('');
  });
});

describe('locks that nobody holds any more', () => {
  /** So that the lock counts as abandoned in two seconds. */
  const almostAbandoned = () => (Date.now() - ABANDONED_LOCK_MS + 2_000) / 1_000;

  it.each(['refs/heads/abandoned.lock', 'HEAD.lock', 'packed-refs.lock', 'packed-refs.new'])(
    'do not stop the next writer for long: %s',
    async (name) => {
      const ref = 'refs/heads/abandoned';
      await move(ref, ZERO_SHA, first);
      repository.git(['pack-refs', '--all']);
      const lock = path.join(repository.path, name);
      writeFileSync(lock, '');
      utimesSync(lock, almostAbandoned(), almostAbandoned());
      await move(ref, first, ZERO_SHA);
      expect([valueOf(ref), existsSync(lock)]).toEqual(['', name === 'HEAD.lock']);
    },
  );

  it('are cleared by whoever sets HEAD', async () => {
    const lock = path.join(repository.path, 'HEAD.lock');
    writeFileSync(lock, '');
    utimesSync(lock, almostAbandoned(), almostAbandoned());
    await repository.writer.setHead('other');
    expect(existsSync(lock)).toBe(false);
    await repository.writer.setHead('main');
  });
});

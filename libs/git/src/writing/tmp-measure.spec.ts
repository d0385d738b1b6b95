import { performance, monitorEventLoopDelay } from 'node:perf_hooks';
import path from 'node:path';
import type { FileAction, Sha } from '../git';
import { ALICE, ScratchRepository } from './scratch-repository.fixture';
import { ObjectBatch } from './object-batch';
import { TimeSlices } from './time-slices';
import { writeLooseObjects } from './loose-object';
import { storePack } from './object-store';
it('x', async () => {
  const r = await ScratchRepository.create();
  const out: string[] = [];
  const many = (n: number, salt: string): FileAction[] => Array.from({ length: n }, (_, i) => ({ action: 'create', path: `d${i % 50}/e${i % 7}/f${i}`, content: Buffer.from(`${salt} ${i} `.repeat(20)) }));
  let base: Sha | null = await r.writer.createCommit({ base: null, actions: many(500, 'base'), message: 'm', author: ALICE, committer: ALICE });
  await r.writer.updateRefs([{ ref: 'refs/heads/x', oldSha: '0'.repeat(40), newSha: base }]);
  for (const n of [1, 10]) {
    const t: number[] = [], u: number[] = [];
    for (let k = 0; k < 30; k++) {
      const a = performance.now();
      const sha: Sha = await r.writer.createCommit({ base, actions: Array.from({ length: n }, (_, i) => ({ action: 'update' as const, path: `d${i}/e${i % 7}/f${i}`, content: Buffer.from(`${k} ${i} ${Math.random()}`) })), message: 'm', author: ALICE, committer: ALICE });
      const b = performance.now();
      await r.writer.updateRefs([{ ref: 'refs/heads/x', oldSha: base!, newSha: sha }]);
      const c = performance.now();
      base = sha; t.push(b - a); u.push(c - b);
    }
    t.sort((x, y) => x - y); u.sort((x, y) => x - y);
    out.push(`commit ${n}: median ${t[15]!.toFixed(2)} ms, updateRefs ${u[15]!.toFixed(2)} ms`);
  }
  const t2: number[] = [];
  for (let k = 0; k < 10; k++) { const a = performance.now(); await r.writer.cherryPick({ commit: base!, onto: (await r.context.objects.commit(base!))!.parents[0]!, message: 'p' + k, author: ALICE, committer: ALICE }); t2.push(performance.now() - a); }
  t2.sort((x, y) => x - y); out.push(`cherryPick median ${t2[5]!.toFixed(2)}`);
  for (const n of [20, 50, 100, 200, 400, 1000]) {
    for (const how of ['loose', 'pack']) {
      const times = [];
      for (let k = 0; k < 3; k++) {
        const batch = new ObjectBatch(new TimeSlices());
        for (let i = 0; i < n; i++) await batch.add('blob', Buffer.from(`${how} ${n} ${k} ${i} `.repeat(50)));
        const a = performance.now();
        if (how === 'loose') await writeLooseObjects(path.join(r.path, 'objects'), batch.objects); else await storePack({ repository: r.path, broker: r.broker }, batch.objects);
        times.push(performance.now() - a);
      }
      times.sort((x, y) => x - y); out.push(`${how} ${n}: ${times[1]!.toFixed(1)} ms`);
    }
  }
  const h = monitorEventLoopDelay({ resolution: 2 }); h.enable();
  const a = performance.now();
  const big = await r.writer.createCommit({ base: null, actions: many(10_000, 'big'), message: 'm', author: ALICE, committer: ALICE });
  out.push(`10000 creates: ${(performance.now() - a).toFixed(0)} ms, loop max ${(h.max / 1e6).toFixed(1)} p99 ${(h.percentile(99) / 1e6).toFixed(1)}`);
  h.reset();
  const b = performance.now();
  await r.writer.createCommit({ base: big, actions: Array.from({ length: 10_000 }, (_, i) => ({ action: 'move' as const, previousPath: `d${i % 50}/e${i % 7}/f${i}`, path: `g${i}/x` })), message: 'm', author: ALICE, committer: ALICE });
  out.push(`10000 moves to own dirs: ${(performance.now() - b).toFixed(0)} ms, loop max ${(h.max / 1e6).toFixed(1)} p99 ${(h.percentile(99) / 1e6).toFixed(1)}`);
  h.reset();
  const c = performance.now();
  const flat = await r.writer.createCommit({ base: null, actions: Array.from({ length: 10_000 }, (_, i) => ({ action: 'create' as const, path: `f${i}`, content: Buffer.from('same') })), message: 'm', author: ALICE, committer: ALICE });
  out.push(`10000 flat: ${(performance.now() - c).toFixed(0)} ms, loop max ${(h.max / 1e6).toFixed(1)}`);
  h.reset();
  const e = performance.now();
  await r.writer.createCommit({ base: flat, actions: [{ action: 'create', path: 'blob', content: Buffer.alloc(50 << 20, Math.random().toString()) }], message: 'm', author: ALICE, committer: ALICE });
  out.push(`50 MiB blob: ${(performance.now() - e).toFixed(0)} ms, loop max ${(h.max / 1e6).toFixed(1)}`);
  console.log(out.join('\n'));
  await r.close();
}, 200000);

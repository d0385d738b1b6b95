import { performance } from 'node:perf_hooks';
import path from 'node:path';
import type { FileAction, Sha } from '../git';
import { ALICE, ScratchRepository } from './scratch-repository.fixture';
import { ObjectBatch } from './object-batch';
import { TimeSlices } from './time-slices';
import { EditableTree } from './editable-tree';
import { applyActions } from './file-actions';
import { commitBody } from './object-format';
import { writeLooseObjects } from './loose-object';
it('x', async () => {
  const r = await ScratchRepository.create();
  const out: string[] = [];
  const many = (n: number, salt: string): FileAction[] => Array.from({ length: n }, (_, i) => ({ action: 'create', path: `d${i % 50}/e${i % 7}/f${i}`, content: Buffer.from(`${salt} ${i} `.repeat(20)) }));
  let base: Sha = await r.writer.createCommit({ base: null, actions: many(500, 'base'), message: 'm', author: ALICE, committer: ALICE });
  const parts: number[][] = [[], [], [], [], []];
  for (let k = 0; k < 60; k++) {
    const t0 = performance.now();
    const c = (await r.context.objects.commit(base))!;
    const t1 = performance.now();
    const slices = new TimeSlices(); const batch = new ObjectBatch(slices);
    const tree = new EditableTree(c.tree, async (s) => (await r.context.objects.read(s))!.content, slices);
    await applyActions([{ action: 'update', path: 'd1/e1/f1', content: Buffer.from('x' + k) }], tree, batch);
    const t2 = performance.now();
    const root = await tree.write(batch);
    base = await batch.add('commit', commitBody({ tree: root, parents: [base], author: ALICE, committer: ALICE, message: 'x' }));
    const t3 = performance.now();
    await writeLooseObjects(path.join(r.path, 'objects'), batch.objects, { flush: false });
    const t4 = performance.now();
    await writeLooseObjects(path.join(r.path, 'objects'), batch.objects);
    const t5 = performance.now();
    [t1 - t0, t2 - t1, t3 - t2, t4 - t3, t5 - t4].forEach((v, i) => parts[i]!.push(v));
  }
  console.log(['commit', 'apply', 'write trees', 'loose no flush', 'loose flush'].map((n, i) => { const p = parts[i]!.sort((a, b) => a - b); return `${n} ${p[30]!.toFixed(2)} p90 ${p[54]!.toFixed(2)}`; }).join('\n'));
  await r.close();
}, 200000);

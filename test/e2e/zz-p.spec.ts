import { GitFixture } from '#libs/testing';
import { useApplication } from '../support/application';
import type { BuiltProject, BuiltUser } from '../support/builders';
import { insertPipeline } from '../support/ci-builders';

const app = useApplication();
let maintainer: BuiltUser;
let project: BuiltProject;
beforeAll(async () => {
  maintainer = await app.current.build.user();
  project = await app.current.build.project({ members: { maintainer }, files: { a: 'x' } });
});
const as = (u = maintainer) => app.current.as(u);
const out: string[] = [];
const show = (label: string, r: { status: number; body: unknown }) => {
  const line = `${label} -> ${r.status} ${JSON.stringify(r.body)?.slice(0, 220)}`;
  out.push(line);
};
afterAll(() => require('node:fs').writeFileSync('/tmp/b5/p-out.txt', out.join('\n')));

describe('probe', () => {
  it('statuses', async () => {
    const bodies: object[] = [
      { state: 'success', coverage: 1e308, name: 'x1' },
      { state: 'success', coverage: 1e308, name: 'x2' },
      { state: 'success', coverage: 'NaN' },
      { state: 'success', coverage: 'Infinity' },
      { state: 'success', coverage: '1e400' },
      { state: 'success', coverage: -5 },
      { state: 'success', coverage: [1] },
      { state: 'success', coverage: null },
      { state: 'success', coverage: '' },
      { state: 'success', coverage: true },
      { state: 'success', ref: '../../x' },
      { state: 'success', ref: 'a b' },
      { state: 'success', ref: 'a\0b' },
      { state: 'success', ref: ['x'] },
      { state: 'success', ref: { a: 1 } },
      { state: 'success', ref: null },
      { state: 'success', ref: 'refs/heads/master' },
      { state: 'success', ref: '-x' },
      { state: 'success', ref: 'é'.repeat(255) },
      { state: 'success', ref: 'x'.repeat(256) },
      { state: 'success', ref: '\ud800' },
      { state: 'success', name: 'a\0b' },
      { state: 'success', name: { a: 1 } },
      { state: 'success', name: 12 },
      { state: 'success', description: 12 },
      { state: 'success', description: null },
      { state: 'success', description: 'a\0' },
      { state: 'success', description: 'x'.repeat(10_001) },
      { state: 'success', target_url: null },
      { state: 'success', target_url: '' },
      { state: 'success', target_url: 12 },
      { state: 'success', target_url: { a: 1 } },
      { state: 'success', target_url: 'http://user:pw@h/' },
      { state: 'success', target_url: 'http://\ud800.de/' },
      { state: 'success', pipeline_id: '99999999999999999999999' },
      { state: 'success', pipeline_id: 1e308 },
      { state: 'success', pipeline_id: 2 ** 40 },
      { state: 'success', pipeline_id: '9223372036854775808' },
      { state: 'success', pipeline_id: [1] },
      { state: 'success', pipeline_id: null },
      { state: 'success', pipeline_id: '' },
      { state: 'success', pipeline_id: 1.5 },
      { state: { a: 1 } },
      { state: null },
    ];
    for (const b of bodies)
      show('status ' + JSON.stringify(b).slice(0, 80), await as().post(`/projects/${project.id}/statuses/${project.tip}`, b));
    for (const q of ['?ref[]=x', '?ref[a]=x', '?stage[]=x', '?name[]=x', '?all=', '?all=maybe', '?name=%00', '?ref=%00', '?ref=', '?name=', '?stage=', '?page=0', '?page=-1', '?page=99999999999999999', '?per_page=0', '?per_page=x'])
      show('list ' + q, await as().get(`/projects/${project.id}/repository/commits/${project.tip}/statuses${q}`));
    for (const sha of ['%00', '..', '--all', 'a'.repeat(5000), 'master%2F', 'HEAD', 'master~0', '@', 'f'.repeat(40), 'master:a', '%ff', ':/First'])
      show('sha ' + sha.slice(0, 20), await as().post(`/projects/${project.id}/statuses/${sha}`, { state: 'success' }));
  });
  it('pipelines', async () => {
    const id = await insertPipeline(app.current, project, {});
    for (const q of ['?ref=', '?sha=', '?name=', '?username=', '?yaml_errors=', '?ref[]=x', '?sha[a]=1', '?name[]=1', '?username=%00', '?ref=%00', '?scope[]=branches', '?status[]=x', '?status=Running', '?order_by=', '?sort=DESC', '?page=99999999999999999999', '?scope=', '?sha=ABC'])
      show('pipelines ' + q, await as().get(`/projects/${project.id}/pipelines${q}`));
    for (const p of ['99999999999999999999999', '9223372036854775808', '9223372036854775807', '1e3', '1.5', `${id}x`, '%00', `0${id}`, `+${id}`, `${id}.json`])
      for (const rest of ['', '/variables', '/retry', '/cancel'])
        show(`id ${p}${rest}`, await (rest === '/retry' || rest === '/cancel' ? as().post(`/projects/${project.id}/pipelines/${p}${rest}`, {}) : as().get(`/projects/${project.id}/pipelines/${p}${rest}`)));
    const bodies: object[] = [
      { ref: 'master', variables: 'x' },
      { ref: 'master', variables: {} },
      { ref: 'master', variables: { key: 'A', value: 'b' } },
      { ref: 'master', variables: ['x'] },
      { ref: 'master', variables: [null] },
      { ref: 'master', variables: null },
      { ref: 'master', variables: '' },
      { ref: 'master', variables: [{ value: 'x' }] },
      { ref: 'master', variables: [{ key: 'A', value: 1 }] },
      { ref: 'master', variables: [{ key: 'A', value: null }] },
      { ref: 'master', variables: [{ key: 'A', value: true }] },
      { ref: 'master', variables: [{ key: 'A', value: { a: 1 } }] },
      { ref: 'master', variables: [{ key: 'A', value: 'a\0b' }] },
      { ref: 'master', variables: [{ key: 'A\0', value: 'ab' }] },
      { ref: 'master', variables: [{ key: 12, value: 'ab' }] },
      { ref: 'master', variables: [{ key: 'A', value: 'x'.repeat(70_000) }] },
      { ref: 'master', variables: [{ key: 'A', value: '\ud800' }] },
      { ref: 'master', variables: [{ key: 'A', variable_type: null }] },
      { ref: 'master', variables: [{ key: 'A', variable_type: '' }] },
      { ref: 'master', variables: Array.from({ length: 1001 }, (_, i) => ({ key: `A${i}` })) },
      { ref: 'a\0' }, { ref: '\ud800' }, { ref: null }, { ref: { a: 1 } }, { ref: 12 }, { ref: 'x'.repeat(5000) }, { ref: ' ' }, { ref: 'master ' }, { ref: 'MASTER' }, { ref: project.tip }, { ref: 'heads/master' },
      { ref: 'refs/merge-requests/1/head' },
    ];
    for (const b of bodies) show('create ' + JSON.stringify(b).slice(0, 80), await as().post(`/projects/${project.id}/pipeline`, b));
    const made = await as().post(`/projects/${project.id}/pipeline`, { ref: 'master' });
    for (const since of ['garbage', 'Mon, 01 Jan 2001 00:00:00 GMT', 'Fri, 01 Jan 2100 00:00:00 GMT'])
      show('delete ' + since, await as(await app.current.build.user({ admin: true })).delete(`/projects/${project.id}/pipelines/${made.body.id}`).set('If-Unmodified-Since', since));
  });
  it('features', async () => {
    const nm = await app.current.build.user();
    const open = await app.current.build.project({ visibility: 'public', members: { maintainer }, files: { a: 'x' } });
    const id = await insertPipeline(app.current, open, {});
    await as().post(`/projects/${open.id}/statuses/${open.tip}`, { state: 'success' });
    for (const col of ["repository_access='private'", "repository_access='disabled'", "repository_access='enabled',jobs_access='private'", "jobs_access='disabled'", "jobs_access='enabled', public_jobs=false"]) {
      await app.current.database.query(`UPDATE projects SET ${col} WHERE id=$1`, [open.id]);
      for (const [who, u] of [['nm', nm], ['mt', maintainer]] as const) {
        show(`${col} ${who} statuses`, await as(u).get(`/projects/${open.id}/repository/commits/${open.tip}/statuses`));
        show(`${col} ${who} report`, await as(u).post(`/projects/${open.id}/statuses/${open.tip}`, { state: 'success' }));
        show(`${col} ${who} list`, await as(u).get(`/projects/${open.id}/pipelines`));
        show(`${col} ${who} get`, await as(u).get(`/projects/${open.id}/pipelines/${id}`));
        show(`${col} ${who} create`, await as(u).post(`/projects/${open.id}/pipeline`, { ref: 'master' }));
        show(`${col} ${who} commit`, { status: 0, body: ((b) => [b.status, b.last_pipeline?.id])((await as(u).get(`/projects/${open.id}/repository/commits/${open.tip}`)).body) });
      }
    }
  });
  it('lint', async () => {
    for (const content of ['', ' ', null, 12, ['x'], 'a: &a [*a]', 'x'.repeat(300_000), '\0', '\ud800', 'a: {script: x, tags: [1]}', 'a:\n script: x\n retry: 1.5', '- a', '"', 'a: !!binary x', '? [a]\n: b', 'a: {script: x}\nb: {script: x, needs: [a], stage: deploy, variables: {A: ~}}', '__proto__: {script: x}', 'constructor: {script: x}\na: {extends: toString, script: x}', 'toString: {script: x}'])
      show('lint ' + JSON.stringify(content)?.slice(0, 60), await as().post('/ci/lint', { content }));
    show('lint none', await as().post('/ci/lint', {}));
  });
});

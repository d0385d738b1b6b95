import { createHash } from 'node:crypto';
import { useApplication } from '../../support/application';

const app = useApplication();

const sha256 = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');

describe('GET /projects/:id/repository/files/:file_path', () => {
  it('answers the record of the file, its content in base64', async () => {
    const { build, api } = app.current;
    const project = await build.project({ visibility: 'public', files: { 'src/a b.md': 'hello\n' } });
    const answer = await api.get(`/projects/${project.id}/repository/files/src%2Fa%20b.md?ref=master`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      file_name: 'a b.md',
      file_path: 'src/a b.md',
      size: 6,
      encoding: 'base64',
      content: Buffer.from('hello\n').toString('base64'),
      content_sha256: sha256('hello\n'),
      ref: 'master',
      blob_id: 'ce013625030ba8dba906f756967f9e9ca394464a',
      commit_id: project.tip,
      last_commit_id: project.tip,
    });
  });
});

describe('POST /projects/:id/repository/files/:file_path', () => {
  it('commits a new file', async () => {
    const { build, as } = app.current;
    const developer = await build.user();
    const project = await build.project({ files: { README: 'x' }, members: { developer } });
    const api = app.current.as(developer);
    const answer = await api.post(`/projects/${project.id}/repository/files/src%2Fnew.txt`, {
      branch: 'feature',
      start_branch: 'master',
      content: 'new',
      commit_message: 'Add it',
    });
    expect(answer.body).toEqual({ file_path: 'src/new.txt', branch: 'feature' });
    expect(answer.status).toBe(201);
    const read = await api.get(`/projects/${project.id}/repository/files/src%2Fnew.txt/raw?ref=feature`);
    expect(read.text).toBe('new');
    expect(as).toBeDefined();
  });
});

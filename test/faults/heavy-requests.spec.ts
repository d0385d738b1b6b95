import { createHash } from 'node:crypto';
import path from 'node:path';
import { GitFixture, until } from '#libs/testing';
import { ROOT_TOKEN, useSite, type ServiceNode } from './support/site';

const LARGE = 100 * 1024 * 1024;
const ACTIONS = 10_000;
const PROBE = path.join(__dirname, 'support/event-loop-probe.cjs');

describe('while a file of 100 MB and a commit of 10,000 actions are under way', () => {
  const site = useSite();
  const content = Buffer.alloc(LARGE, 'sixteen letters\n');
  const small: number[] = [];
  let node: ServiceNode;
  let project = '';
  let digest = '';
  let committed: { status: number; body: { id: string; stats: { additions: number } } };

  async function download(): Promise<void> {
    const answer = await fetch(`${node.url}/api/v4${project}/repository/files/large.txt/raw?ref=master`, {
      headers: { 'private-token': ROOT_TOKEN },
    });
    const hash = createHash('sha256');
    if (answer.body) for await (const chunk of answer.body) hash.update(chunk);
    digest = hash.digest('hex');
  }

  async function commit(): Promise<void> {
    const actions = Array.from({ length: ACTIONS }, (_, index) => ({
      action: 'create',
      file_path: `many/${index % 100}/${index}.txt`,
      content: `${index}\n`,
    }));
    committed = await node.api.post(`${project}/repository/commits`, {
      branch: 'master',
      commit_message: 'Many',
      actions,
    });
  }

  /** One small request after another, of several kinds. */
  async function ask(isOver: () => boolean): Promise<void> {
    const paths = ['/version', '/user', project, `${project}/repository/files/README.md?ref=master`];
    for (let count = 0; !isOver(); count += 1) {
      const { status } = await node.api.get(paths[count % paths.length] ?? '');
      small.push(status);
    }
  }

  /** Asks the server how its event loop did, once the probe has answered. */
  async function delays(): Promise<string> {
    const before = node.process.output.length;
    node.process.signal('SIGUSR2');
    return until(() => /event loop delay: .*\n/.exec(node.process.output.slice(before))?.[0]);
  }

  beforeAll(async () => {
    node = await site.current.start({ NODE_OPTIONS: `--require ${PROBE}` });
    const { id } = await node.api.create('/projects', { path: 'heavy', initialize_with_readme: true });
    project = `/projects/${id}`;
    await GitFixture.on(site.current.repositoryOf(id)).commit({
      branch: 'master',
      files: { 'large.txt': content },
    });
    await delays();
    let isOver = false;
    const heavy = Promise.all([download(), commit()]).finally(() => (isOver = true));
    await Promise.all([heavy, ask(() => isOver), ask(() => isOver)]);
    console.log(`${small.length} small requests; ${await delays()}`);
  }, 60_000);

  it('small requests are answered', () => {
    expect(small.length).toBeGreaterThan(10);
    expect(new Set(small)).toEqual(new Set([200]));
  });

  it('both come to their end, whole', async () => {
    expect(digest).toBe(createHash('sha256').update(content).digest('hex'));
    expect(committed.status).toBe(201);
    const list = await node.api.get(
      `${project}/repository/tree?path=many/7&per_page=100&ref=${committed.body.id}`,
    );
    expect(list.body).toHaveLength(100);
  });
});

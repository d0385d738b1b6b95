import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { processesWith, until } from '#libs/testing';
import { freePort } from '../support/running-server';
import { GitClone, remoteUrl } from './support/git-client';
import { ROOT_TOKEN, useSite, type ServiceNode } from './support/site';
import { commitsOf, complaintsAbout, refsOf } from './support/verdicts';

/** More than all buffers between server and client hold. */
const LARGE = 48 * 1024 * 1024;
const PATH = 'root/closing';

const sha256 = (): ReturnType<typeof createHash> => createHash('sha256');

interface Outcome {
  digest: string;
  commit: number;
  pushed: string;
  exit: number | NodeJS.Signals | null;
  output: string;
}

/** A request that is begun now and ended later. */
function begin(
  url: string,
  options: http.RequestOptions,
): { request: http.ClientRequest; answer: Promise<http.IncomingMessage> } {
  const request = http.request(url, {
    ...options,
    headers: { 'private-token': ROOT_TOKEN, ...options.headers },
  });
  const answer = once(request, 'response').then(([response]: http.IncomingMessage[]) => {
    if (!response) throw new Error('a response comes with its event');
    return response;
  });
  return { request, answer };
}

async function isRefused(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const socket = net.connect(Number(port), hostname);
  return new Promise((resolve) => {
    socket.once('error', () => resolve(true));
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
  });
}

describe('a server that is told to stop while it is busy', () => {
  const site = useSite();
  const content = randomBytes(LARGE);
  const outcome: Outcome = { digest: '', commit: 0, pushed: '', exit: null, output: '' };
  let repository = '';
  let environment: Record<string, string>;

  async function prepare({ api, url }: ServiceNode): Promise<{ projectId: number; clone: GitClone }> {
    const { id } = await api.create('/projects', { path: 'closing', initialize_with_readme: true });
    repository = site.current.repositoryOf(id);
    const clone = await GitClone.of(remoteUrl(url, PATH), path.join(site.current.dataDir, 'clone'));
    await clone.git('config', 'core.compression', '0');
    await clone.commit('large.bin', content);
    await clone.git('push', '--quiet', remoteUrl(url, PATH), 'HEAD:master');
    await clone.commit('another.bin', randomBytes(LARGE));
    return { projectId: id, clone };
  }

  beforeAll(async () => {
    environment = { PORT: await freePort() };
    const node = await site.current.start(environment);
    const { projectId, clone } = await prepare(node);
    const base = `${node.url}/api/v4/projects/${projectId}/repository`;

    const download = begin(`${base}/files/large.bin/raw?ref=master`, {});
    download.request.end();
    const body = await download.answer;
    const digest = sha256();
    digest.update((await once(body, 'data'))[0]);
    body.pause();

    const commit = begin(`${base}/commits`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    });
    commit.request.write('{"branch":"master","commit_message":"Last words",');

    const push = clone.push(remoteUrl(node.url, PATH), 'HEAD:refs/heads/late');
    await until(async () =>
      (await processesWith(`${repository} `)).some(({ command }) => / receive-pack .*/.test(command)),
    );

    node.process.signal('SIGTERM');
    const readiness = async (): Promise<number> => (await fetch(`${node.url}/-/readiness`)).status;
    await until(async () => (await readiness()) === 503);
    await until(() => isRefused(node.url));

    commit.request.end('"actions":[{"action":"create","file_path":"last.txt","content":"words"}]}');
    outcome.commit = (await commit.answer).resume().statusCode ?? 0;
    if (await push) outcome.pushed = await clone.git('rev-parse', 'HEAD');
    for await (const chunk of body) digest.update(chunk);
    outcome.digest = digest.digest('hex');
    outcome.exit = await node.process.ended();
    outcome.output = node.process.output;
  }, 60_000);

  it('finishes the download, the commit and the push', async () => {
    expect(outcome.digest).toBe(sha256().update(content).digest('hex'));
    expect(outcome.commit).toBe(201);
    expect(outcome.pushed).toMatch(/^[0-9a-f]{40}$/);
    expect((await refsOf(repository)).get('refs/heads/late')).toBe(outcome.pushed);
    expect(await commitsOf(repository, 'master')).toHaveLength(3);
  });

  it('ends well and without complaints, and leaves no git process', async () => {
    expect(outcome.exit).toBe(0);
    expect(outcome.output).not.toMatch(/"level":(?:40|50|60)/);
    expect(await processesWith(repository)).toEqual([]);
    expect(await complaintsAbout(repository)).toEqual([]);
  });

  it('starts again on what it left, with nothing to recover', async () => {
    const { rows } = await site.current.rows.query('SELECT id FROM ref_intents');
    expect(rows).toEqual([]);
    const { api } = await site.current.start(environment);
    const { body } = await api.get(`/projects/${encodeURIComponent(PATH)}/repository/branches`);
    expect(body.map(({ name }: { name: string }) => name)).toEqual(['late', 'master']);
  });
});

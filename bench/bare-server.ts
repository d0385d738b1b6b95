/**
 * What this machine gives at best for the same work: plain Node HTTP, the same SQL statement, one pooled
 * `git cat-file`, and durable writes of the files that a commit consists of. No rules, no presenters, no framework.
 */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import { Pool } from 'pg';
import { callerStatement } from '../src/repository/callers/caller-statement';

interface Setup {
  readonly databaseUrl: string;
  readonly repository: string;
  readonly token: string;
  readonly projectId: number;
}

/** One long-lived `cat-file --batch`; answers come in the order of the questions. */
class CatFile {
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly waiting: ((content: Buffer) => void)[] = [];
  private buffered: Buffer = Buffer.alloc(0);

  constructor(repository: string) {
    this.child = spawn('git', ['--git-dir', repository, 'cat-file', '--batch']);
    this.child.stdout.on('data', (chunk: Buffer) => {
      this.buffered = this.buffered.length === 0 ? chunk : Buffer.concat([this.buffered, chunk]);
      this.takeAnswers();
    });
  }

  read(object: string): Promise<Buffer> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      this.child.stdin.write(`${object}\n`);
    });
  }

  private takeAnswers(): void {
    for (;;) {
      const end = this.buffered.indexOf(10);
      if (end < 0) return;
      const size = Number(this.buffered.toString('latin1', 0, end).split(' ')[2]);
      if (this.buffered.length < end + 2 + size) return;
      this.waiting.shift()?.(this.buffered.subarray(end + 1, end + 1 + size));
      this.buffered = this.buffered.subarray(end + 2 + size);
    }
  }
}

async function writeDurably(file: string, content: Buffer): Promise<void> {
  const temporary = `${file}.${randomUUID()}`;
  const handle = await fs.open(temporary, 'w');
  await handle.writeFile(content);
  await handle.sync();
  await handle.close();
  await fs.rename(temporary, file);
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await fs.open(folder, 'r');
  await handle.sync();
  await handle.close();
}

async function main(setup: Setup): Promise<void> {
  const pool = new Pool({ connectionString: setup.databaseUrl, max: 20 });
  const catFile = new CatFile(setup.repository);
  const statement = callerStatement('credential', 'project_id');
  const digest = createHash('sha256').update(setup.token).digest('hex');
  const scratch = path.join(setup.repository, 'bench-scratch');
  await fs.mkdir(scratch, { recursive: true });
  await pool.query('CREATE TABLE IF NOT EXISTS bench_commits (id bigserial PRIMARY KEY, sha text)');

  const identify = () => pool.query({ ...statement, values: [digest, String(setup.projectId)] });

  const routes: Record<string, () => Promise<string | Buffer>> = {
    '/file': async () => {
      await identify();
      const content = await catFile.read('master:docs/guide.md');
      const sha256 = createHash('sha256').update(content).digest('hex');
      return JSON.stringify({ content: content.toString('base64'), content_sha256: sha256 });
    },
    '/raw': async () => {
      await identify();
      return catFile.read('master:docs/guide.md');
    },
    '/commits': async () => {
      await identify();
      const commits: string[] = [];
      for (let next = 'master'; commits.length < 20 && next !== '';) {
        const text = (await catFile.read(next)).toString('utf8');
        commits.push(text);
        next = /^parent (\w+)$/m.exec(text)?.[1] ?? '';
      }
      return JSON.stringify(commits);
    },
    '/commit': async () => {
      await identify();
      const objects = ['blob', 'tree', 'commit'].map((kind) =>
        deflateSync(Buffer.from(`${kind} ${randomUUID()}`.repeat(4))),
      );
      await Promise.all(objects.map((object) => writeDurably(path.join(scratch, randomUUID()), object)));
      await syncFolder(scratch);
      await writeDurably(path.join(scratch, 'ref'), Buffer.from(randomUUID()));
      await syncFolder(scratch);
      await pool.query('INSERT INTO bench_commits (sha) VALUES ($1)', [randomUUID()]);
      return '{}';
    },
  };

  const server = http.createServer((request, response) => {
    request.resume();
    const route = routes[request.url ?? ''];
    if (!route) return response.writeHead(404).end();
    route().then(
      (body) => response.writeHead(200, { 'Content-Type': 'application/json' }).end(body),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
    return undefined;
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.send?.({ port: typeof address === 'object' ? address?.port : 0 });
  });
}

process.once('message', (setup: Setup) => void main(setup));

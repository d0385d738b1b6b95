import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isSoonGone, processesWith } from '../../../testing/src/git/process-list';
import { brokerProgram } from './broker-program';
import type { SpawnOrder } from './broker-protocol';
import { gitEnvironment } from './git-environment';

/** The broker's program by itself, with the test in the server process's place. */
describe("the broker's child", () => {
  let folder: string;
  let server: Server;
  let child: ChildProcess;
  let connected: Promise<Socket>;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'git-broker-'));
    server = createServer();
    connected = new Promise((resolve) => server.once('connection', resolve));
    await new Promise<void>((resolve) => server.listen(join(folder, 's'), resolve));
    child = spawn(process.execPath, [await brokerProgram(folder), join(folder, 's')], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
  });
  afterEach(async () => {
    child.kill('SIGKILL');
    server.close();
  });

  const order = (script: string): SpawnOrder => ({
    type: 'spawn',
    id: 7,
    args: ['-c', `alias.play=!${script}`, 'play'],
    env: gitEnvironment(),
    hasInput: false,
  });
  const exited = (): Promise<unknown> => new Promise((resolve) => child.once('exit', resolve));

  it('announces the stream of a command and gives it to git', async () => {
    child.send(order('printf hello'));
    const report = await new Promise((resolve) => child.once('message', resolve));
    expect(report).toEqual({ id: 7, code: 0, stderr: '' });
    const chunks: Buffer[] = [];
    for await (const chunk of await connected) chunks.push(Buffer.from(chunk));
    const bytes = Buffer.concat(chunks);
    expect(bytes.readUInt32BE(0)).toBe(7);
    expect(bytes.toString('latin1', 4)).toBe('\x01hello');
    child.disconnect();
    await exited();
  });

  it('ends its gits, its folder and itself when the server process goes away', async () => {
    const token = `sleep 5${process.pid}1`;
    child.send(order(`trap "" TERM; ${token} & echo ready; ${token}; ${token}`));
    const socket = await connected;
    // The script has started once it has written; the socket begins with five bytes of announcement.
    await new Promise<void>((resolve) => {
      let bytes = 0;
      socket.on('data', (chunk) => (bytes += chunk.length) > 5 && resolve());
    });
    expect((await processesWith(token)).length).toBeGreaterThan(1);
    const end = exited();
    child.disconnect();
    await end;
    expect(await isSoonGone(token)).toBe(true);
    expect(existsSync(folder)).toBe(false);
  });
});

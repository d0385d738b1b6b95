import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { GitFixture } from '#libs/testing';
import { useApplication } from '../../support/application';
import type { ApiClient } from '../../support/api-client';
import type { BuiltProject, BuiltUser } from '../../support/builders';

const app = useApplication();

let folder: string;
let user: BuiltUser;
let project: BuiltProject;
let git: GitFixture;
let api: ApiClient;

beforeAll(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'canary-'));
  user = await app.current.build.user();
  project = await app.current.build.project({
    members: { maintainer: user },
    files: { 'README.md': 'x', 'src/a': 'a' },
  });
  git = GitFixture.on(project.repositoryPath);
  await git.git('branch', 'topic', 'master');
  api = app.current.as(user);
});
afterAll(() => fs.rm(folder, { recursive: true, force: true }));

const canary = (name: string): string => path.join(folder, name);

/** What turned into options, revision expressions, commands or other people's data in services of this kind. */
const names = (): string[] => [
  `--output=${canary('output')}`,
  `-O${canary('order')}`,
  `--exec=touch ${canary('exec')}`,
  `--upload-pack=touch ${canary('upload')}`,
  `$(touch ${canary('shell')})`,
  `\`touch ${canary('ticks')}\``,
  `; touch ${canary('semicolon')}`,
  `| touch ${canary('pipe')}`,
  `master\ntouch ${canary('line')}`,
  `master --output=${canary('second')}`,
  `ext::sh -c touch% ${canary('ext')}`,
  '--help',
  '--all',
  '--no-index',
  '-',
  '--',
  '..',
  '../..',
  '../../../../etc/passwd',
  '..\\..\\x',
  '/etc/passwd',
  'C:\\x',
  'master:README.md',
  'master:../x',
  'master:./x',
  'master@{upstream}',
  '@{1.day.ago}',
  '@{-1}',
  ':/text',
  ':!x',
  ':(glob)**',
  ':(attr:x)',
  'master^{/^(a+)+$}',
  'master~999999999',
  'master^99',
  'master..topic',
  'master...topic',
  '^master',
  'refs/heads/../../HEAD',
  'refs/../HEAD',
  'refs/heads/master.lock',
  'HEAD:',
  'FETCH_HEAD',
  'ORIG_HEAD',
  'config',
  'objects/info/alternates',
  'a\u0000b',
  '\ud800',
  '\u202e',
  '%00',
  '%2e%2e%2f',
  'é'.repeat(1000),
  `${'a/'.repeat(1500)}a`,
  '*'.repeat(200),
  '[',
  '\\',
  ' ',
  '\t',
  '.',
  '{}',
  'null',
];

/** A percent-encoded text; a lone surrogate, which URLs cannot have, as the bytes that some clients send. */
const encoded = (text: string): string => (text === '\ud800' ? '%ED%A0%80' : encodeURIComponent(text));

type Request = (text: string) => PromiseLike<{ status: number; body: unknown }>;

const base = (): string => `/projects/${project.id}/repository`;
const reads: readonly [string, Request][] = [
  ['the ref of a file', (text) => api.get(`${base()}/files/README.md?ref=${encoded(text)}`)],
  ['the ref of a raw file', (text) => api.get(`${base()}/files/README.md/raw?ref=${encoded(text)}`)],
  ['the ref of a blame', (text) => api.get(`${base()}/files/README.md/blame?ref=${encoded(text)}`)],
  ['the path of a file', (text) => api.get(`${base()}/files/${encoded(text)}?ref=master`)],
  ['the path of a raw file', (text) => api.get(`${base()}/files/${encoded(text)}/raw?ref=master`)],
  ['the path of a blame', (text) => api.get(`${base()}/files/${encoded(text)}/blame?ref=master`)],
  ['the ref of a list', (text) => api.get(`${base()}/commits?ref_name=${encoded(text)}`)],
  ['the path of a list', (text) => api.get(`${base()}/commits?path=${encoded(text)}`)],
  ['the author of a list', (text) => api.get(`${base()}/commits?author=${encoded(text)}&path=README.md`)],
  [
    'the bounds of a list',
    (text) => api.get(`${base()}/commits?since=${encoded(text)}&until=${encoded(text)}`),
  ],
  ...['', '/refs', '/diff', '/comments', '/statuses', '/merge_requests', '/signature'].map(
    (end): [string, Request] => [
      `the commit of …${end}`,
      (text) => api.get(`${base()}/commits/${encoded(text)}${end}`),
    ],
  ),
];

const change = { branch: 'topic', commit_message: 'm' };
const file = { action: 'create', file_path: 'f', content: 'x' };
const writes: readonly [string, Request][] = [
  [
    'the path of a new file',
    (text) => api.post(`${base()}/files/${encoded(text)}`, { ...change, content: 'x' }),
  ],
  [
    'the path of an update',
    (text) => api.put(`${base()}/files/${encoded(text)}`, { ...change, content: 'x' }),
  ],
  ['the path of a removal', (text) => api.delete(`${base()}/files/${encoded(text)}`, change)],
  [
    'the branch of a file',
    (text) => api.post(`${base()}/files/f`, { ...change, branch: text, start_branch: 'topic', content: 'x' }),
  ],
  [
    'the start of a file',
    (text) => api.post(`${base()}/files/f`, { ...change, branch: 'n', start_branch: text, content: 'x' }),
  ],
  [
    'the last commit of a file',
    (text) => api.put(`${base()}/files/README.md`, { ...change, content: 'y', last_commit_id: text }),
  ],
  [
    'the branch of a commit',
    (text) =>
      api.post(`${base()}/commits`, { ...change, branch: text, start_branch: 'topic', actions: [file] }),
  ],
  [
    'the start of a commit',
    (text) => api.post(`${base()}/commits`, { ...change, branch: 'n', start_branch: text, actions: [file] }),
  ],
  [
    'the start hash of a commit',
    (text) => api.post(`${base()}/commits`, { ...change, branch: 'n', start_sha: text, actions: [file] }),
  ],
  [
    'the start project of a commit',
    (text) =>
      api.post(`${base()}/commits`, {
        ...change,
        branch: 'n',
        start_sha: project.tip,
        start_project: text,
        actions: [file],
      }),
  ],
  [
    'a source',
    (text) =>
      api.post(`${base()}/commits`, {
        ...change,
        actions: [{ action: 'move', file_path: 'm', previous_path: text }],
      }),
  ],
  ['a pick', (text) => api.post(`${base()}/commits/${encoded(text)}/cherry_pick`, { branch: 'topic' })],
  ['the branch of a pick', (text) => api.post(`${base()}/commits/topic/cherry_pick`, { branch: text })],
  ['the branch of a revert', (text) => api.post(`${base()}/commits/topic/revert`, { branch: text })],
  [
    'the commit of a comment',
    (text) => api.post(`${base()}/commits/${encoded(text)}/comments`, { note: 'n' }),
  ],
  [
    'the commit of a status',
    (text) => api.post(`/projects/${project.id}/statuses/${encoded(text)}`, { state: 'success' }),
  ],
];

/** Nothing escaped. */
const nothingHappened = async (): Promise<void> => expect(await fs.readdir(folder)).toEqual([]);

describe('hostile text', () => {
  it.each(reads)('as %s finds nothing and breaks nothing', async (what, request) => {
    for (const text of names()) {
      const { status } = await request(text);
      const allowed = what.includes('of a list') ? [200, 400, 404] : [400, 404];
      expect([text.slice(0, 99), allowed.includes(status) ? 'refused' : status]).toEqual([
        text.slice(0, 99),
        'refused',
      ]);
    }
    await nothingHappened();
    expect((await api.get(`${base()}/files/README.md?ref=master`)).status).toBe(200);
  });

  it.each(writes)('as %s breaks nothing', async (_what, request) => {
    for (const text of names()) {
      const { status } = await request(text);
      expect([text.slice(0, 99), status < 500 ? 'answered' : status]).toEqual([
        text.slice(0, 99),
        'answered',
      ]);
    }
    await nothingHappened();
    const listed = await git.gitBytes(['ls-tree', '-r', '-z', '--name-only', 'topic']);
    const components = listed
      .toString()
      .split('\0')
      .flatMap((entry) => entry.split('/'));
    expect(components.filter((name) => ['.', '..', '.git'].includes(name.toLowerCase()))).toEqual([]);
    for (const ref of (await git.git('for-each-ref', '--format=%(refname)')).split('\n')) {
      await git.git('check-ref-format', ref);
      expect(ref).toMatch(/^refs\/heads\/[^-]/);
    }
  });

  it('as note, description, message and names is kept as it came', async () => {
    for (const text of names().filter((name) => !/^[\s]*$|\0|\ud800/.test(name))) {
      const comment = await api.post(`${base()}/commits/master/comments`, { note: text });
      expect([comment.status, comment.body.note]).toEqual([201, text]);
      const status = await api.post(`/projects/${project.id}/statuses/master`, {
        state: 'success',
        name: text.slice(0, 255),
        description: text,
      });
      expect([status.status, status.body.description]).toEqual([201, text]);
      const made = await api.post(`${base()}/commits`, {
        ...change,
        commit_message: text,
        author_name: text,
        author_email: text,
        actions: [{ ...file, file_path: `m${Math.random()}` }],
      });
      expect([made.status, made.body.message]).toEqual([201, text]);
    }
    await nothingHappened();
  });

  it('leaves a sound repository behind', async () => {
    expect(await git.git('fsck', '--full', '--strict', '--no-dangling')).toBe('');
  });
});

describe('lists and hashes in place of text', () => {
  const places = [
    'branch',
    'commit_message',
    'start_branch',
    'start_sha',
    'author_name',
    'author_email',
    'start_project',
    'force',
    'stats',
  ];

  it.each(places)('are refused as %s of a commit', async (name) => {
    for (const value of [['x', 'y'], { a: 'b' }, [{ a: 'b' }], [[]]]) {
      const { status } = await api.post(`${base()}/commits`, { ...change, actions: [file], [name]: value });
      expect([value, status]).toEqual([value, 400]);
    }
  });

  it.each([
    'action',
    'file_path',
    'previous_path',
    'content',
    'encoding',
    'last_commit_id',
    'execute_filemode',
  ])('are refused as %s of an action', async (name) => {
    for (const value of [['x', 'y'], { a: 'b' }, [[]]]) {
      const { status } = await api.post(`${base()}/commits`, {
        ...change,
        actions: [{ ...file, [name]: value }],
      });
      expect([value, status]).toEqual([value, 400]);
    }
  });
});

describe('a large form', () => {
  it('of ten thousand actions makes one commit', async () => {
    const action = (index: number): string =>
      `actions[][action]=create&actions[][file_path]=form%2F${index}&actions[][content]=${index}`;
    const body = [
      'branch=topic',
      'commit_message=form',
      ...Array.from({ length: 10_000 }, (_, index) => action(index)),
    ].join('&');
    const { status } = await api.post(`${base()}/commits`).type('form').send(body);
    expect(status).toBe(201);
  });

  it('of too many actions is refused', async () => {
    const body = `branch=topic&commit_message=m&${'actions[][action]=create&actions[][file_path]=x&'.repeat(60_000)}`;
    const { status } = await api.post(`${base()}/commits`).type('form').send(body);
    expect([400, 413]).toContain(status);
  });
});

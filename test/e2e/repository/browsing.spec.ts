import { execFileSync } from 'node:child_process';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { hasBzip2 } from '#libs/testing';
import { useApplication } from '../../support/application';
import type { BuiltProject, BuiltUser } from '../../support/builders';

const app = useApplication();

const as = (user: { token: string }) => app.current.as(user);

const git = (
  { repositoryPath }: BuiltProject,
  args: string[],
  environment: Record<string, string> = {},
): string =>
  execFileSync(
    'git',
    ['-C', repositoryPath, '-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args],
    {
      encoding: 'utf8',
      env: { ...process.env, ...environment },
    },
  ).trim();

const FILES = {
  'z.md': 'last\n',
  'bin/tool': Buffer.from([0, 1, 2, 255]),
  'docs/deep/ä b.txt': 'unicode',
  'docs/index.md': '# docs\n',
  'a.md': 'first\n',
};

const publicProject = (): Promise<BuiltProject> =>
  app.current.build.project({ visibility: 'public', files: FILES });

const inRepository = (project: BuiltProject, rest: string): string =>
  `/projects/${project.id}/repository/${rest}`;

/** A commit with the tree of `like`, on `parent`. */
const commit = (project: BuiltProject, parent: string, message: string, like = parent): string =>
  git(project, ['commit-tree', `${like}^{tree}`, '-p', parent, '-m', message]);

describe('GET /projects/:id/repository/tree', () => {
  it('lists directories first, then files, as git has them', async () => {
    const project = await publicProject();
    const { status, body, headers } = await app.current.api.get(inRepository(project, 'tree'));
    expect(status).toBe(200);
    expect(body.map((entry: { path: string }) => entry.path)).toEqual(['bin', 'docs', 'a.md', 'z.md']);
    expect(body[0]).toEqual({
      id: git(project, ['rev-parse', 'master:bin']),
      name: 'bin',
      type: 'tree',
      path: 'bin',
      mode: '040000',
    });
    expect(body[2]).toEqual({
      id: git(project, ['rev-parse', 'master:a.md']),
      name: 'a.md',
      type: 'blob',
      path: 'a.md',
      mode: '100644',
    });
    expect(headers['x-total']).toBe('4');
  });

  it('lists a directory, or all below it', async () => {
    const project = await publicProject();
    const pathsAt = async (query: string) =>
      (await app.current.api.get(inRepository(project, `tree?${query}`))).body.map(
        (entry: { path: string }) => entry.path,
      );
    expect(await pathsAt('path=docs')).toEqual(['docs/deep', 'docs/index.md']);
    expect(await pathsAt('path=/docs/')).toEqual(['docs/deep', 'docs/index.md']);
    expect(await pathsAt('path=docs&recursive=true')).toEqual([
      'docs/deep',
      'docs/deep/ä b.txt',
      'docs/index.md',
    ]);
    expect(await pathsAt('recursive=1')).toHaveLength(8);
    expect(await pathsAt('recursive=1&per_page=2&page=2')).toHaveLength(2);
    expect(await pathsAt(`ref=${project.tip.slice(0, 8)}`)).toHaveLength(4);
  });

  it.each([
    'ref=nope',
    'ref=--all',
    'ref=master:docs',
    'path=nope',
    'path=a.md',
    'path=../..',
    'path=docs//deep',
    'path=.git',
  ])('finds nothing for %s', async (query) => {
    const { status, body } = await app.current.api.get(inRepository(await publicProject(), `tree?${query}`));
    expect({ status, body }).toEqual({ status: 404, body: { message: '404 Tree Not Found' } });
  });

  it('finds nothing in an empty repository', async () => {
    const project = await app.current.build.project({ visibility: 'public' });
    expect((await app.current.api.get(inRepository(project, 'tree'))).status).toBe(404);
  });
});

describe('GET /projects/:id/repository/blobs/:sha', () => {
  it('gives a blob as base64', async () => {
    const project = await publicProject();
    const sha = git(project, ['rev-parse', 'master:bin/tool']);
    const { status, body } = await app.current.api.get(inRepository(project, `blobs/${sha}`));
    expect({ status, body }).toEqual({
      status: 200,
      body: { size: 4, encoding: 'base64', content: 'AAEC/w==', sha },
    });
  });

  it.each(['f'.repeat(40), 'master', 'a.md', '--batch', 'master:a.md', 'abcd'])(
    'knows no blob %s',
    async (sha) => {
      const { status, body } = await app.current.api.get(inRepository(await publicProject(), `blobs/${sha}`));
      expect({ status, body }).toEqual({ status: 404, body: { message: '404 Blob Not Found' } });
    },
  );

  it('streams a large one', async () => {
    const content = Buffer.alloc(21 * 1024 * 1024, 'abc');
    const project = await app.current.build.project({ visibility: 'public', files: { large: content } });
    const sha = git(project, ['rev-parse', 'master:large']);
    const { status, body } = await app.current.api.get(inRepository(project, `blobs/${sha}`));
    expect(status).toBe(200);
    expect({ size: body.size, sha: body.sha }).toEqual({ size: content.length, sha });
    expect(Buffer.from(body.content, 'base64').equals(content)).toBe(true);
  });

  it('takes no commit or tree for a blob', async () => {
    const project = await publicProject();
    expect((await app.current.api.get(inRepository(project, `blobs/${project.tip}`))).status).toBe(404);
    const tree = git(project, ['rev-parse', 'master^{tree}']);
    expect((await app.current.api.get(inRepository(project, `blobs/${tree}/raw`))).status).toBe(404);
  });
});

describe('GET /projects/:id/repository/blobs/:sha/raw', () => {
  it('gives the bytes, never as something that a browser would run', async () => {
    const project = await publicProject();
    const sha = git(project, ['rev-parse', 'master:bin/tool']);
    const { status, body, headers } = await app.current.api
      .get(inRepository(project, `blobs/${sha}/raw`))
      .buffer();
    expect({ status, body }).toEqual({ status: 200, body: FILES['bin/tool'] });
    expect(headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '4',
      'x-content-type-options': 'nosniff',
    });
    const head = await app.current.api.head(inRepository(project, `blobs/${sha}/raw`));
    expect(head.headers['content-length']).toBe('4');
  });
});

describe.each([
  ['HEAD /projects/:id/repository/blobs/:sha/raw', (sha: string) => `blobs/${sha}/raw`],
  ['HEAD /projects/:id/repository/archive', () => 'archive'],
  ['HEAD /projects/:id/repository/archive.:format', () => 'archive.zip'],
])('%s', (_row, resource) => {
  it('answers the headers of the GET and makes no body', async () => {
    const project = await publicProject();
    const path = inRepository(project, resource(git(project, ['rev-parse', 'master:bin/tool'])));
    const [head, get] = [await app.current.api.head(path), await app.current.api.get(path).buffer()];
    expect([head.status, get.status]).toEqual([200, 200]);
    for (const name of ['content-type', 'content-disposition'])
      expect(head.headers[name]).toBe(get.headers[name]);
  });

  it('has the statuses of the GET', async () => {
    const hidden = await app.current.build.project({ files: FILES });
    expect((await app.current.api.head(inRepository(hidden, resource('f'.repeat(40))))).status).toBe(404);
  });
});

describe('GET /projects/:id/repository/archive in its formats', () => {
  /** The names in a tar archive, compressed or not. */
  const namesIn = async (bytes: Buffer): Promise<string[]> => {
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'archive-test-'));
    try {
      await fs.writeFile(path.join(folder, 'archive'), bytes);
      return execFileSync('tar', ['-tf', path.join(folder, 'archive')], { encoding: 'utf8' })
        .trim()
        .split('\n');
    } finally {
      await fs.rm(folder, { recursive: true });
    }
  };

  const download = async (url: string) => {
    const { status, body, headers } = await app.current.api.get(url).buffer().responseType('blob');
    return {
      status,
      bytes: Buffer.from(body),
      type: headers['content-type'],
      disposition: headers['content-disposition'],
    };
  };

  const formats: [resource: string, suffix: string, type: string][] = [
    ['archive', 'tar.gz', 'application/gzip'],
    ['archive.tar.gz', 'tar.gz', 'application/gzip'],
    ['archive.tar', 'tar', 'application/x-tar'],
    ['archive.zip', 'zip', 'application/zip'],
  ];
  const bzip2: typeof formats = [
    ['archive.tar.bz2', 'tar.bz2', 'application/x-bzip2'],
    ['archive.tbz2', 'tar.bz2', 'application/x-bzip2'],
  ];

  it.each([...formats, ...(hasBzip2() ? bzip2 : [])])(
    'streams %s under the name of project, ref and commit',
    async (resource, suffix, type) => {
      const project = await publicProject();
      const answer = await download(inRepository(project, resource));
      const name = `${project.path}-master-${project.tip}`;
      expect(answer).toMatchObject({ status: 200, type });
      expect(answer.disposition).toBe(
        `attachment; filename="${name}.${suffix}"; filename*=UTF-8''${name}.${suffix}`,
      );
      // The names in a zip file are not compressed.
      if (suffix === 'zip') expect(answer.bytes.includes(`${name}/docs/index.md`)).toBe(true);
      else expect(await namesIn(answer.bytes)).toContain(`${name}/docs/index.md`);
      const head = await app.current.api.head(inRepository(project, resource));
      expect(head.headers['content-disposition']).toBe(answer.disposition);
    },
  );

  it('GET /projects/:id/repository/archive.:format says so where it cannot compress', async () => {
    const { status } = await app.current.api.get(inRepository(await publicProject(), 'archive.tar.bz2'));
    expect(status).toBe(hasBzip2() ? 200 : 503);
  });

  it('packs the revision asked for, slashes of its name made dashes', async () => {
    const project = await publicProject();
    git(project, ['branch', 'feature/x', 'master']);
    const { disposition } = await download(inRepository(project, 'archive.tar?sha=feature%2Fx'));
    expect(disposition).toContain(`${project.path}-feature-x-${project.tip}.tar`);
  });

  it('knows no unknown revision, and no unknown format', async () => {
    const project = await publicProject();
    for (const sha of ['nope', '--output=x', 'master^{tree}']) {
      const answer = await app.current.api.get(
        inRepository(project, `archive.zip?sha=${encodeURIComponent(sha)}`),
      );
      expect({ status: answer.status, body: answer.body }).toEqual({
        status: 404,
        body: { message: '404 File Not Found' },
      });
    }
    expect((await app.current.api.get(inRepository(project, 'archive.rar'))).status).toBe(400);
  });
});

describe('GET /projects/:id/repository/compare', () => {
  /** master: first, second. feature: first, side (with another file). */
  async function forked(): Promise<BuiltProject> {
    const project = await publicProject();
    const side = commit(project, 'master', 'side', 'master');
    git(project, ['branch', 'feature', side]);
    const [admin] = [await app.current.build.user({ admin: true })];
    for (const [branch, file] of [
      ['feature', 'side.md'],
      ['master', 'main.md'],
    ]) {
      const { status } = await as(admin).post(inRepository(project, `files/${file}`), {
        branch,
        content: `Only here: ${file}`,
        commit_message: `add ${file}`,
      });
      expect(status).toBe(201);
    }
    return project;
  }

  it('tells what came to one side since both were the same', async () => {
    const project = await forked();
    const { status, body } = await app.current.api.get(
      inRepository(project, 'compare?from=master&to=feature'),
    );
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['commit', 'commits', 'diffs', 'compare_timeout', 'compare_same_ref']);
    expect(body.commits.map(({ title }: { title: string }) => title)).toEqual(['side', 'add side.md']);
    expect(body.commit).toEqual(body.commits[1]);
    expect(body.diffs).toMatchObject([
      { new_path: 'side.md', new_file: true, a_mode: '0', b_mode: '100644' },
    ]);
    expect(body).toMatchObject({ compare_timeout: false, compare_same_ref: false });
  });

  it('tells how the two themselves differ', async () => {
    const project = await forked();
    const { body } = await app.current.api.get(
      inRepository(project, 'compare?from=master&to=feature&straight=true'),
    );
    expect(body.diffs.map(({ new_path: name }: { new_path: string }) => name)).toEqual([
      'main.md',
      'side.md',
    ]);
  });

  it('finds nothing between the same', async () => {
    const project = await publicProject();
    const { body } = await app.current.api.get(
      inRepository(project, `compare?from=master&to=${project.tip}`),
    );
    expect(body).toEqual({
      commit: null,
      commits: [],
      diffs: [],
      compare_timeout: false,
      compare_same_ref: true,
    });
  });

  it('needs two revisions that are there', async () => {
    const project = await publicProject();
    const compare = async (query: string) => {
      const { status, body } = await app.current.api.get(inRepository(project, `compare?${query}`));
      return { status, body };
    };
    expect(await compare('from=master&to=nope')).toEqual({
      status: 404,
      body: { message: '404 Ref Not Found' },
    });
    expect(await compare('from=--all&to=master')).toEqual({
      status: 404,
      body: { message: '404 Ref Not Found' },
    });
    expect(await compare('from=master')).toEqual({
      status: 400,
      body: { message: '400 (Bad request) "to" not given' },
    });
    expect(await compare('from=master&to=master&straight=x')).toEqual({
      status: 400,
      body: { error: 'straight is invalid' },
    });
  });
});

describe('GET /projects/:id/repository/contributors', () => {
  it('counts commits and lines of each author', async () => {
    const project = await publicProject();
    const person = { GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.com' };
    for (const message of ['one', 'two']) {
      const sha = git(project, ['commit-tree', 'master^{tree}', '-p', 'master', '-m', message], person);
      git(project, ['update-ref', 'refs/heads/master', sha]);
    }
    const fixture = { name: 'Fixture', email: 'fixture@example.com', commits: 1, additions: 4, deletions: 0 };
    const ada = { name: 'Ada', email: 'ada@example.com', commits: 2, additions: 0, deletions: 0 };
    const listed = async (query: string) =>
      (await app.current.api.get(inRepository(project, `contributors${query}`))).body;
    expect(await listed('')).toEqual([fixture, ada]);
    expect(await listed('?sort=desc')).toEqual([ada, fixture]);
    expect(await listed('?order_by=name')).toEqual([ada, fixture]);
    expect(await listed('?order_by=email&sort=desc&per_page=1')).toEqual([fixture]);
    const bad = await app.current.api.get(inRepository(project, 'contributors?order_by=age'));
    expect(bad.status).toBe(400);
    const empty = await app.current.build.project({ visibility: 'public' });
    expect((await app.current.api.get(inRepository(empty, 'contributors'))).body).toEqual([]);
  });
});

describe('GET /projects/:id/repository/merge_base', () => {
  it('finds the commit that all come from', async () => {
    const project = await publicProject();
    git(project, ['branch', 'left', commit(project, 'master', 'left')]);
    git(project, ['branch', 'right', commit(project, 'master', 'right')]);
    const { status, body } = await app.current.api.get(
      inRepository(project, 'merge_base?refs[]=left&refs[]=right'),
    );
    expect({ status, body }).toMatchObject({ status: 200, body: { id: project.tip, title: 'First commit' } });
  });

  it('refuses what has none', async () => {
    const project = await publicProject();
    const orphan = git(project, ['commit-tree', 'master^{tree}', '-m', 'orphan']);
    git(project, ['branch', 'orphan', orphan]);
    const find = async (query: string) => {
      const { status, body } = await app.current.api.get(inRepository(project, `merge_base?${query}`));
      return { status, body };
    };
    expect(await find('refs[]=master&refs[]=orphan')).toEqual({
      status: 404,
      body: { message: '404 Merge Base Not Found' },
    });
    expect(await find('refs[]=master')).toEqual({
      status: 400,
      body: { message: 'Provide at least 2 refs' },
    });
    expect(await find('refs[]=master&refs[]=nope')).toEqual({
      status: 400,
      body: { message: 'Could not find ref: nope' },
    });
    expect(await find('refs[]=x&refs[]=--all')).toEqual({
      status: 400,
      body: { message: 'Could not find refs: x, --all' },
    });
    expect(await find('')).toEqual({ status: 400, body: { message: '400 (Bad request) "refs" not given' } });
  });
});

describe('rights on browsing', () => {
  it('are those of reading code', async () => {
    const { build, api } = app.current;
    const [guest, reporter, stranger] = [await build.user(), await build.user(), await build.user()];
    const project = await build.project({ members: { guest, reporter }, files: FILES });
    const blob = git(project, ['rev-parse', 'master:a.md']);
    const resources = [
      ...[
        'tree',
        `blobs/${blob}`,
        `blobs/${blob}/raw`,
        'archive',
        'archive.zip',
        'compare?from=master&to=master',
      ],
      ...['contributors', 'merge_base?refs[]=master&refs[]=master'],
    ];
    const statusesOf = async (user: BuiltUser | null) => {
      const statuses = new Set<number>();
      for (const resource of resources) {
        statuses.add((await (user ? as(user) : api).get(inRepository(project, resource))).status);
      }
      return [...statuses];
    };
    expect(await statusesOf(null)).toEqual([404]);
    expect(await statusesOf(stranger)).toEqual([404]);
    expect(await statusesOf(guest)).toEqual([403]);
    expect(await statusesOf(reporter)).toEqual([200]);
    // The right comes before the parameters.
    expect((await as(guest).get(inRepository(project, 'compare'))).status).toBe(403);
    expect((await api.get(inRepository(project, 'merge_base'))).status).toBe(404);
  });
});

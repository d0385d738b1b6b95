import { AccessLevel, GitbeakerRequestError, Gitlab } from '@gitbeaker/rest';
import { useApplication } from '../support/application';
import type { BuiltProject, BuiltUser } from '../support/builders';

/** A session of the unmodified client: it reads records, headers and errors in ways of its own. */
const app = useApplication();

const client = (token: string) => new Gitlab({ host: app.current.url, token });

let user: BuiltUser;
let api: ReturnType<typeof client>;
let project: BuiltProject;

beforeAll(async () => {
  user = await app.current.build.user();
  api = client(user.token);
  project = await app.current.build.project({
    owner: user,
    files: { 'README.md': 'hello\nworld\n', 'src/a b.md': 'spaced\n' },
  });
});

/** What the client says of an answer that is an error. */
async function refusalOf(call: Promise<unknown>): Promise<[number, string]> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof GitbeakerRequestError) || !error.cause) throw new Error('the call was not refused');
  return [error.cause.response.status, error.cause.description];
}

describe('who and what', () => {
  it('shows the current user', async () => {
    expect(await api.Users.showCurrentUser()).toMatchObject({
      id: user.id,
      username: user.username,
      email: user.email,
    });
  });

  it('shows version and metadata', async () => {
    const { version } = await api.Metadata.show();
    expect(version).toMatch(/^12\.4\./);
  });

  it('knows whom an unknown token belongs to: nobody', async () => {
    expect(await refusalOf(client('no-such-token-at-all').Users.showCurrentUser())).toEqual([
      401,
      '401 Unauthorized',
    ]);
  });

  it('acts for another user', async () => {
    const admin = await app.current.build.user({ admin: true, scopes: ['api', 'sudo'] });
    const { id } = await client(admin.token).Users.showCurrentUser({ sudo: user.username });
    expect(id).toBe(user.id);
  });
});

describe('projects', () => {
  it('are created, shown by path and by id, edited and removed', async () => {
    const created = await api.Projects.create({
      name: 'Made by client',
      initializeWithReadme: true,
      visibility: 'private',
    });
    expect(created).toMatchObject({
      path: 'made-by-client',
      default_branch: 'master',
      visibility: 'private',
    });
    expect(await api.Projects.show(`${user.username}/made-by-client`)).toMatchObject({ id: created.id });
    expect(await api.Projects.edit(created.id, { description: 'new' })).toMatchObject({ description: 'new' });
    await api.Projects.remove(created.id);
    expect((await refusalOf(api.Projects.show(created.id)))[0]).toBe(404);
  });

  it('take an avatar form as an edit', async () => {
    const pixel =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const avatar = { content: new Blob([Buffer.from(pixel, 'base64')]), filename: 'a.png' };
    expect(await api.Projects.edit(project.id, { description: 'by form', avatar })).toMatchObject({
      description: 'by form',
      avatar_url: expect.stringContaining('/a.png'),
    });
  });

  it('hide what the caller may not see', async () => {
    const { id } = await app.current.build.project();
    expect(await refusalOf(api.Projects.show(id))).toEqual([404, '404 Project Not Found']);
  });
});

describe('lists of projects', () => {
  let owner: ReturnType<typeof client>;
  let ids: number[];

  beforeAll(async () => {
    const member = await app.current.build.user();
    owner = client(member.token);
    ids = [];
    for (let count = 0; count < 5; count += 1) {
      ids.push((await app.current.build.project({ owner: member })).id);
    }
  });

  it('are read through all pages', async () => {
    const found = await owner.Projects.all({ membership: true, perPage: 2, orderBy: 'id', sort: 'asc' });
    expect(found.map(({ id }) => id)).toEqual(ids);
  });

  it('are read through all keyset pages', async () => {
    const found = await owner.Projects.all({
      membership: true,
      perPage: 2,
      pagination: 'keyset',
      orderBy: 'id',
      sort: 'asc',
    });
    expect(found.map(({ id }) => id)).toEqual(ids);
  });

  it('tell where a page stands', async () => {
    const { data, paginationInfo } = await owner.Projects.all({
      membership: true,
      perPage: 2,
      page: 2,
      pagination: 'offset',
      showExpanded: true,
    });
    expect(data).toHaveLength(2);
    expect(paginationInfo).toEqual({ total: 5, next: 3, current: 2, previous: 1, perPage: 2, totalPages: 3 });
  });
});

describe('files', () => {
  it('are created, shown, edited and removed', async () => {
    const path = 'docs/new file.md';
    const { RepositoryFiles: files } = api;
    const added = await files.create(project.id, path, 'master', 'hello', 'add', {
      encoding: 'text',
      authorEmail: 'a@b.c',
      authorName: 'A',
    });
    expect(added).toEqual({ file_path: path, branch: 'master' });

    const shown = await files.show(project.id, path, 'master');
    expect(shown).toMatchObject({
      file_name: 'new file.md',
      size: 5,
      encoding: 'base64',
      content: btoa('hello'),
    });

    const lastCommitId = shown.last_commit_id;
    await files.edit(project.id, path, 'master', btoa('changed'), 'edit', {
      encoding: 'base64',
      lastCommitId,
    });
    expect(await files.showRaw(project.id, path, 'master')).toBe('changed');
    const stale = files.edit(project.id, path, 'master', 'again', 'edit', { lastCommitId });
    expect((await refusalOf(stale))[0]).toBe(400);

    await files.remove(project.id, path, 'master', 'remove');
    expect(await refusalOf(files.show(project.id, path, 'master'))).toEqual([404, '404 File Not Found']);
  });

  it('are found by project path, from a branch with a slash', async () => {
    await api.Branches.create(project.id, 'feature/x', 'master');
    const file = await api.RepositoryFiles.show(project.fullPath, 'src/a b.md', 'feature/x');
    expect(file).toMatchObject({ file_path: 'src/a b.md', ref: 'feature/x' });
  });

  it('are shown raw and with blame', async () => {
    expect(await api.RepositoryFiles.showRaw(project.id, 'README.md', 'master')).toBe('hello\nworld\n');
    const [range] = await api.RepositoryFiles.allFileBlames(project.id, 'README.md', 'master');
    expect(range).toMatchObject({ commit: { id: project.tip }, lines: ['hello', 'world'] });
  });

  it('come as bytes where they are binary', async () => {
    const content = Buffer.from([0, 255, 1, 13, 10]);
    const branch = 'master';
    await api.RepositoryFiles.create(project.id, 'a.bin', branch, content.toString('base64'), 'add', {
      encoding: 'base64',
    });
    const raw = await api.RepositoryFiles.showRaw(project.id, 'a.bin', branch);
    if (!(raw instanceof Blob)) throw new Error('binary content must not come as text');
    expect(Buffer.from(await raw.arrayBuffer())).toEqual(content);
  });
});

describe('commits', () => {
  let work: BuiltProject;
  let made: string;

  beforeAll(async () => {
    work = await app.current.build.project({ owner: user, files: { a: 'one\n', b: 'two\n' } });
    const { id } = await api.Commits.create(
      work.id,
      'topic',
      'All kinds of changes',
      [
        { action: 'create', filePath: 'c', content: 'three\n' },
        { action: 'update', filePath: 'a', content: 'changed\n' },
        { action: 'move', filePath: 'moved', previousPath: 'b', content: 'two\n' },
      ],
      { startBranch: 'master', authorEmail: 'a@b.c', authorName: 'A' },
    );
    made = id;
  });

  it('are listed by branch, with figures when asked', async () => {
    const listed = await api.Commits.all(work.id, {
      refName: 'topic',
      withStats: true,
      since: '2020-01-01T00:00:00Z',
    });
    expect(listed.map(({ id }) => id)).toEqual([made, work.tip]);
    expect(listed[0]).toMatchObject({
      author_email: 'a@b.c',
      stats: { additions: 2, deletions: 1, total: 3 },
    });
    expect(await api.Commits.all(work.id, { refName: 'topic', perPage: 1 })).toHaveLength(2);
  });

  it('are shown one by one', async () => {
    const commit = await api.Commits.show(work.id, made);
    expect(commit).toMatchObject({ id: made, title: 'All kinds of changes', parent_ids: [work.tip] });
  });

  it('show what they changed and where they are', async () => {
    const diffs = await api.Commits.showDiff(work.id, made);
    expect(diffs.map(({ new_path: path }) => path)).toEqual(['a', 'c', 'moved']);
    expect(await api.Commits.allReferences(work.id, made, { type: 'branch' })).toEqual([
      { type: 'branch', name: 'topic' },
    ]);
    expect(await api.Commits.allMergeRequests(work.id, made)).toEqual([]);
  });

  it('are cherry-picked and reverted', async () => {
    await api.Branches.create(work.id, 'target', 'master');
    const picked = await api.Commits.cherryPick(work.id, made, 'target');
    expect(picked).toMatchObject({ title: 'All kinds of changes', parent_ids: [work.tip] });
    const reverted = await api.Commits.revert(work.id, picked.id, 'target');
    expect(reverted).toMatchObject({ title: 'Revert "All kinds of changes"' });
    expect(await api.RepositoryFiles.showRaw(work.id, 'a', 'target')).toBe('one\n');
  });

  it('are commented on', async () => {
    const place = { path: 'a', line: 1, lineType: 'new' } as const;
    const comment = await api.Commits.createComment(work.id, made, 'Look here', place);
    expect(comment).toMatchObject({ note: 'Look here', path: 'a', line: 1, line_type: 'new' });
    expect(await api.Commits.allComments(work.id, made)).toMatchObject([
      { author: { id: user.id }, note: 'Look here' },
    ]);
  });

  it('carry statuses', async () => {
    const status = await api.Commits.editStatus(work.id, made, 'success', {
      context: 'ci',
      coverage: 12.5,
      ref: 'topic',
    });
    expect(status).toMatchObject({ sha: made, status: 'success', name: 'ci', coverage: 12.5 });
    expect(await api.Commits.allStatuses(work.id, made, { ref: 'topic' })).toMatchObject([{ id: status.id }]);
  });

  it('are not signed unless someone did', async () => {
    expect((await refusalOf(api.Commits.showGPGSignature(work.id, made)))[0]).toBe(404);
  });

  it('are compared', async () => {
    const comparison = await api.Repositories.compare(work.id, 'master', 'topic');
    expect(comparison).toMatchObject({ commit: { id: made }, compare_same_ref: false });
    expect(await api.Repositories.mergeBase(work.id, ['master', 'topic'])).toMatchObject({ id: work.tip });
  });
});

describe('branches and tags', () => {
  it('branches are created, listed, shown and removed', async () => {
    expect(await api.Branches.create(project.id, 'short/lived', 'master')).toMatchObject({
      name: 'short/lived',
    });
    const names = (await api.Branches.all(project.id)).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['master', 'short/lived']));
    expect(await api.Branches.show(project.id, 'master')).toMatchObject({
      name: 'master',
      protected: true,
      default: true,
    });
    await api.Branches.remove(project.id, 'short/lived');
    expect(await refusalOf(api.Branches.show(project.id, 'short/lived'))).toEqual([
      404,
      '404 Branch Not Found',
    ]);
  });

  it('tags are created with a message, listed, shown and removed', async () => {
    const tag = await api.Tags.create(project.id, 'v1.0', 'master', { message: 'First' });
    expect(tag).toMatchObject({ name: 'v1.0', message: 'First', commit: { id: expect.any(String) } });
    expect((await api.Tags.all(project.id)).map(({ name }) => name)).toEqual(['v1.0']);
    expect(await api.Tags.show(project.id, 'v1.0')).toMatchObject({ name: 'v1.0' });
    await api.Tags.remove(project.id, 'v1.0');
    expect(await refusalOf(api.Tags.show(project.id, 'v1.0'))).toEqual([404, '404 Tag Not Found']);
  });

  it('the tree, a blob and an archive are read', async () => {
    const tree = await api.Repositories.allRepositoryTrees(project.id, { ref: project.tip, recursive: true });
    expect(tree.map(({ path }) => path)).toEqual(['src', 'README.md', 'src/a b.md']);
    const blob = await api.Repositories.showBlobRaw(project.id, tree[1]?.id ?? '');
    expect(blob instanceof Blob ? await blob.text() : blob).toBe('hello\nworld\n');
    const archive = await api.Repositories.showArchive(project.id, { fileType: 'tar.gz', sha: project.tip });
    expect(archive.size).toBeGreaterThan(0);
    expect(await api.Repositories.allContributors(project.id)).not.toEqual([]);
  });
});

describe('groups, namespaces and members', () => {
  it('groups are created with a subgroup, listed and shown by path', async () => {
    const group = await api.Groups.create('Group of client', `client-${user.id}`, { visibility: 'private' });
    const path = `client-${user.id}`;
    const subgroup = await api.Groups.create('Sub', 'sub', { parentId: group.id });
    expect(subgroup).toMatchObject({ full_path: `${path}/sub`, parent_id: group.id });
    expect(await api.Groups.show(`${path}/sub`)).toMatchObject({ id: subgroup.id });
    const others = await api.Groups.all({ skipGroups: [group.id] });
    expect(others.map(({ id }) => id)).toEqual([subgroup.id]);
    expect(await api.Namespaces.show(path)).toMatchObject({ id: group.id, kind: 'group' });
    expect((await api.Namespaces.all()).map(({ full_path: name }) => name)).toContain(user.username);
  });

  it('members of projects and groups are added, changed, listed and removed', async () => {
    const { id: userId } = await app.current.build.user();
    const group = await app.current.build.group({ members: { owner: user } });
    for (const [members, id] of [
      [api.ProjectMembers, project.id],
      [api.GroupMembers, group.id],
    ] as const) {
      expect(await members.add(id, AccessLevel.DEVELOPER, { userId })).toMatchObject({
        id: userId,
        access_level: 30,
        expires_at: null,
      });
      expect(await members.edit(id, userId, AccessLevel.REPORTER, { expiresAt: '2099-01-01' })).toMatchObject(
        {
          access_level: 20,
          expires_at: '2099-01-01',
        },
      );
      const all = await members.all(id, { includeInherited: true });
      expect(all.map((member) => member.id)).toEqual(expect.arrayContaining([user.id, userId]));
      expect(await members.show(id, userId)).toMatchObject({ id: userId });
      await members.remove(id, userId);
      expect((await refusalOf(members.show(id, userId)))[0]).toBe(404);
    }
  });
});

describe('tokens', () => {
  it('an administrator issues, lists and revokes impersonation tokens', async () => {
    const { UserImpersonationTokens: tokens } = client((await app.current.build.user({ admin: true })).token);
    const issued = await tokens.create(user.id, 'for tests', ['api', 'read_user'], {
      expiresAt: '2099-01-01',
    });
    expect(issued).toMatchObject({
      name: 'for tests',
      scopes: ['api', 'read_user'],
      active: true,
      revoked: false,
    });
    const { token } = issued;
    if (typeof token !== 'string') throw new Error('an issued token must be shown');
    expect(await client(token).Users.showCurrentUser()).toMatchObject({ id: user.id });

    expect((await tokens.all(user.id, { state: 'active' })).map(({ id }) => id)).toContain(issued.id);
    await tokens.revoke(user.id, issued.id);
    expect(await tokens.show(user.id, issued.id)).toMatchObject({ active: false, revoked: true });
    expect((await refusalOf(client(token).Users.showCurrentUser()))[0]).toBe(401);
  });

  it('users list and remove their personal tokens', async () => {
    const owner = await app.current.build.user();
    await app.current.build.token(owner, ['read_user']);
    const { PersonalAccessTokens: tokens } = client(owner.token);
    const all = await tokens.all();
    const other = all.find(({ scopes }) => scopes?.includes('read_user'));
    if (!other) throw new Error('both tokens must be listed');
    await tokens.remove({ tokenId: other.id });
    expect(await tokens.all({ state: 'active' })).toHaveLength(1);
  });
});

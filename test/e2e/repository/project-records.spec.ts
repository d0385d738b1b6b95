import { ProjectFigures } from '../../../src/repository/projects/project-figures.job';
import { useApplication } from '../../support/application';
import type { BuiltGroup, BuiltProject, BuiltUser } from '../../support/builders';
import { statementsDuring } from '../../support/statement-trace';

const app = useApplication();

const SIMPLE = {
  id: expect.any(Number),
  description: 'About it',
  default_branch: 'master',
  ssh_url_to_repo: expect.stringMatching(/^git@service\.test:.+\.git$/),
  http_url_to_repo: expect.stringMatching(/^http:\/\/service\.test\/.+\.git$/),
  web_url: expect.stringMatching(/^http:\/\/service\.test\/.+$/),
  readme_url: expect.stringMatching(/^http:\/\/service\.test\/.+\/blob\/master\/README\.md$/),
  tag_list: ['one', 'two'],
  name: 'records',
  name_with_namespace: expect.stringMatching(/ \/ records$/),
  path: 'records',
  path_with_namespace: expect.stringMatching(/\/records$/),
  created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  last_activity_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  forks_count: 0,
  avatar_url: null,
  star_count: 0,
};

const FULL = {
  ...SIMPLE,
  visibility: 'private',
  issues_enabled: true,
  merge_requests_enabled: true,
  jobs_enabled: true,
  wiki_enabled: true,
  snippets_enabled: true,
  container_registry_enabled: true,
  shared_runners_enabled: true,
  public_jobs: true,
  request_access_enabled: expect.any(Boolean),
  archived: false,
  resolve_outdated_diff_discussions: false,
  only_allow_merge_if_pipeline_succeeds: false,
  only_allow_merge_if_all_discussions_are_resolved: false,
  open_issues_count: 0,
  creator_id: expect.any(Number),
  ci_default_git_depth: expect.any(Number),
  namespace: {
    id: expect.any(Number),
    name: expect.any(String),
    path: expect.any(String),
    kind: 'group',
    full_path: expect.any(String),
    parent_id: null,
  },
  import_status: 'none',
  permissions: {
    project_access: { access_level: 40, notification_level: 3 },
    group_access: { access_level: 20, notification_level: 3 },
  },
  shared_with_groups: [
    {
      group_id: expect.any(Number),
      group_name: expect.any(String),
      group_full_path: expect.any(String),
      group_access_level: 30,
      expires_at: null,
    },
  ],
  merge_method: 'merge',
  approvals_before_merge: 0,
};

let group: BuiltGroup, project: BuiltProject;
let maintainer: BuiltUser, guest: BuiltUser, admin: BuiltUser;

beforeAll(async () => {
  const { build } = app.current;
  maintainer = await build.user();
  guest = await build.user();
  admin = await build.user({ admin: true });
  group = await build.group({ members: { reporter: maintainer } });
  project = await build.project({
    path: 'records',
    namespace: group,
    members: { maintainer, guest },
    files: { 'README.md': 'read', 'a.rb': 'puts 1' },
    columns: { description: 'About it', tag_list: ['one', 'two'] },
  });
  await build.share(project, await build.group({ visibility: 'public' }), 'developer');
  await app.current.nest.get(ProjectFigures).refresh(project.id);
});

const listed = async (query: string, user: BuiltUser): Promise<object> => {
  const { status, body } = await app.current.as(user).get(`/projects?search=records&${query}`);
  expect([status, body.length]).toEqual([200, 1]);
  return body[0];
};

describe('GET /projects', () => {
  it('has the simple form field by field, in the order of the specification', async () => {
    const record = await listed('simple=true', maintainer);
    expect(record).toEqual(SIMPLE);
    expect(Object.keys(record)).toEqual(Object.keys(SIMPLE));
  });

  it('has the full form field by field', async () => {
    const record = await listed('', maintainer);
    const url = (rest: string) => `http://service.test/api/v4/projects/${project.id}${rest}`;
    expect(record).toMatchObject({
      ...FULL,
      runners_token: expect.any(String),
      import_error: null,
      _links: {
        self: url(''),
        issues: url('/issues'),
        merge_requests: url('/merge_requests'),
        repo_branches: url('/repository/branches'),
        labels: url('/labels'),
        events: url('/events'),
        members: url('/members'),
      },
    });
    for (const absent of [
      'owner',
      'statistics',
      'custom_attributes',
      'license',
      'license_url',
      'repository_storage',
    ])
      expect(record).not.toHaveProperty(absent);
  });

  it('shows sizes that were measured, where statistics are asked for', async () => {
    const statistics = {
      commit_count: 1,
      storage_size: expect.any(Number),
      repository_size: expect.any(Number),
      wiki_size: 0,
      lfs_objects_size: 0,
      job_artifacts_size: 0,
      packages_size: 0,
    };
    const record = await listed('statistics=true', maintainer);
    expect(record).toMatchObject({ statistics });
    const { storage_size: all, repository_size: own }: { storage_size: number; repository_size: number } =
      Reflect.get(record, 'statistics');
    expect([all === own, own > 100]).toEqual([true, true]);
    expect(await listed('statistics=true', guest)).not.toHaveProperty('statistics');
  });

  it('tells guests of a private project nothing of its code and its secrets', async () => {
    const record = await listed('', guest);
    expect(record).toMatchObject({ readme_url: null, permissions: { group_access: null } });
    for (const hidden of ['default_branch', 'runners_token', 'import_error'])
      expect(record).not.toHaveProperty(hidden);
  });

  it('names the owner of a personal project', async () => {
    const user = await app.current.build.user();
    const own = await app.current.build.project({ owner: user });
    const { body } = await app.current.as(user).get('/projects?owned=true');
    expect(body).toMatchObject([
      {
        id: own.id,
        owner: { id: user.id, name: user.name, created_at: expect.any(String) },
        namespace: { kind: 'user', full_path: user.username },
        permissions: { project_access: null, group_access: null },
      },
    ]);
  });

  it('filters and shows by custom attributes, for administrators', async () => {
    const path = `/projects/${project.id}/custom_attributes/team`;
    expect((await app.current.as(admin).put(path, { value: 'blue' })).status).toBe(200);
    const query = 'custom_attributes[team]=blue&with_custom_attributes=true';
    expect(await listed(query, admin)).toMatchObject({ custom_attributes: [{ key: 'team', value: 'blue' }] });
    const others = await app.current.as(admin).get('/projects?custom_attributes[team]=red');
    expect(others.body).toEqual([]);
    // To others both mean nothing.
    expect(
      await listed('custom_attributes[team]=red&with_custom_attributes=true', maintainer),
    ).not.toHaveProperty('custom_attributes');
  });
});

describe('GET /projects/:id', () => {
  it('adds to the full form what single projects have', async () => {
    const { body } = await app.current.as(maintainer).get(`/projects/${project.id}?license=true`);
    expect(body).toMatchObject({
      ...FULL,
      namespace: {
        ...FULL.namespace,
        avatar_url: null,
        web_url: `http://service.test/groups/${group.fullPath}`,
      },
      license: null,
      license_url: null,
      printing_merge_requests_link_enabled: true,
    });
    expect(body).not.toHaveProperty('repository_storage');
    expect((await app.current.as(admin).get(`/projects/${project.id}`)).body.repository_storage).toBe(
      'default',
    );
  });
});

describe('a page of a hundred projects', () => {
  let user: BuiltUser, large: BuiltGroup;

  beforeAll(async () => {
    const { build, database } = app.current;
    user = await build.user();
    large = await build.group({ members: { maintainer: user } });
    const reader = await build.group({ visibility: 'public' });
    const source = await build.project({ visibility: 'public' });
    const make = (namespaceId: number, path: string) =>
      database.query(
        `WITH made AS (
           INSERT INTO projects (namespace_id, creator_id, name, path, repository_storage, disk_path, forked_from_project_id)
           SELECT $1, $2, 'many-' || n, 'many-' || n, 'default', $3 || '/' || n, $4 FROM generate_series(1, 110) n
           RETURNING id, path),
         routed AS (INSERT INTO routes (path, project_id) SELECT $3 || '/' || path, id FROM made),
         shared AS (INSERT INTO project_shares (project_id, group_id, group_access) SELECT id, $5, 30 FROM made),
         starred AS (INSERT INTO project_stars (project_id, user_id) SELECT id, $2 FROM made),
         spoken AS (INSERT INTO project_languages (project_id, name, bytes) SELECT id, 'Ruby', 1 FROM made)
         INSERT INTO custom_attributes (project_id, key, value) SELECT id, 'team', 'blue' FROM made`,
        [namespaceId, user.id, path, source.id, reader.id],
      );
    await make(large.id, large.fullPath);
    await make(user.namespaceId, user.username);
  });

  const costOf = async (viewer: BuiltUser, path: string, perPage: number): Promise<number> => {
    let length = 0;
    const sent = await statementsDuring(async () => {
      ({ length } = (await app.current.as(viewer).get(`${path}per_page=${perPage}`)).body);
    });
    expect([path, length]).toEqual([path, perPage]);
    return sent.filter(({ text }) => /^\s*(?:SELECT|WITH)/i.test(text)).length;
  };

  it('costs as few queries as one of two, whatever is asked for', async () => {
    const everything = 'statistics=true&with_custom_attributes=true';
    const lists = [
      `/projects?${everything}&membership=true&`,
      `/projects?${everything}&with_programming_language=ruby&`,
      `/projects?${everything}&search=many&simple=true&`,
      `/groups/${large.id}/projects?with_custom_attributes=true&`,
      `/users/${user.id}/projects?${everything}&`,
      `/users/${user.id}/starred_projects?${everything}&`,
    ];
    for (const path of lists) {
      for (const viewer of path.includes('membership') ? [user] : [user, admin]) {
        await costOf(viewer, path, 2);
        const few = await costOf(viewer, path, 2);
        expect(few).toBeLessThan(13);
        expect([path, await costOf(viewer, path, 100)]).toEqual([path, few]);
      }
    }
  });
});

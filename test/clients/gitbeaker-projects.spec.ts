import { Gitlab } from '@gitbeaker/rest';
import { useApplication } from '../support/application';
import type { BuiltGroup, BuiltProject, BuiltUser } from '../support/builders';

/** What projects show and whom they let in, by the unmodified client. */
const app = useApplication();

const client = (token: string) => new Gitlab({ host: app.current.url, token });

let user: BuiltUser;
let group: BuiltGroup;
let project: BuiltProject;
let api: ReturnType<typeof client>;

beforeAll(async () => {
  user = await app.current.build.user();
  group = await app.current.build.group({ members: { owner: user } });
  project = await app.current.build.project({ namespace: group, files: { 'README.md': 'hello' } });
  api = client(user.token);
});

describe('badges', () => {
  it('are tried out, made, listed, changed and removed', async () => {
    const [link, image] = ['https://ci.example/%{project_path}', 'https://ci.example/%{commit_sha}.svg'];
    expect(await api.ProjectBadges.preview(project.id, link, image)).toEqual({
      link_url: link,
      image_url: image,
      rendered_link_url: `https://ci.example/${project.fullPath}`,
      rendered_image_url: `https://ci.example/${project.tip}.svg`,
    });
    const own = await api.ProjectBadges.add(project.fullPath, link, image);
    const above = await api.GroupBadges.add(group.fullPath, link, image);
    const listed = await api.ProjectBadges.all(project.id);
    expect(listed.map(({ id, kind }) => [id, kind])).toEqual([
      [own.id, 'project'],
      [above.id, 'group'],
    ]);
    const linkUrl = 'https://example.com/';
    expect(await api.ProjectBadges.edit(project.id, own.id, { linkUrl })).toMatchObject({
      link_url: linkUrl,
    });
    await api.ProjectBadges.remove(project.id, own.id);
    await api.GroupBadges.remove(group.id, above.id);
    expect(await api.ProjectBadges.all(project.id)).toEqual([]);
  });
});

describe('uploads', () => {
  it('are sent as a form and read at the address of the project’s page', async () => {
    const file = { content: new Blob(['notes']), filename: 'notes.txt' };
    const { alt, url, markdown } = await api.Projects.uploadForReference(project.id, file);
    expect([alt, markdown]).toEqual(['notes.txt', `[notes.txt](${url})`]);
    const answer = await fetch(`${app.current.url}/${project.fullPath}${url}`, {
      headers: { 'private-token': user.token },
    });
    expect(await answer.text()).toBe('notes');
  });
});

describe('shares', () => {
  it('are made and taken back', async () => {
    const other = await app.current.build.group({ members: { owner: user } });
    await api.Projects.share(project.id, other.id, 30, { expiresAt: '2999-01-01' });
    expect((await api.Projects.show(project.id)).shared_with_groups).toMatchObject([
      { group_id: other.id, group_access_level: 30, expires_at: '2999-01-01' },
    ]);
    await api.Projects.unshare(project.id, other.id);
    expect((await api.Projects.show(project.id)).shared_with_groups).toEqual([]);
  });
});

import { GitbeakerRequestError, Gitlab } from '@gitbeaker/rest';
import { until } from '#libs/testing';
import { useApplication } from '../support/application';
import type { BuiltGroup, BuiltProject, BuiltUser } from '../support/builders';
import { RunnerClient } from '../support/runner-client';
import { zipOf } from '../support/zip-file';

/** What projects show, whom they let in, and the work that is done in them, by the unmodified client. */
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

/** What the client says of an answer that is an error. */
async function refusalOf(call: Promise<unknown>): Promise<[number, string]> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof GitbeakerRequestError) || !error.cause) throw new Error('the call was not refused');
  return [error.cause.response.status, error.cause.description];
}

const idsOf = (things: readonly { id: number }[]): number[] => things.map(({ id }) => id);

describe('labels and milestones', () => {
  it('labels are made, found, renamed, promoted and removed', async () => {
    const { ProjectLabels: labels } = api;
    await labels.create(project.id, 'to do/now', 'red', { priority: 3 });
    expect(await labels.show(project.id, 'to do/now')).toMatchObject({ color: '#FF0000', priority: 3 });
    expect(await refusalOf(labels.create(project.id, 'to do/now', '#00ff00'))).toEqual([
      409,
      'Label already exists',
    ]);
    const { name } = await labels.edit(project.id, 'to do/now', { newName: 'now' });
    await labels.promote(project.id, name);
    expect(await api.GroupLabels.all(group.id)).toMatchObject([{ name: 'now' }]);
    expect(await labels.all(project.id, { withCounts: true })).toMatchObject([
      { name: 'now', is_project_label: false, open_issues_count: 0 },
    ]);
    await api.GroupLabels.remove(group.id, name);
    expect(await refusalOf(labels.show(project.id, name))).toEqual([404, '404 Label Not Found']);
  });

  it('milestones are made, found, closed, promoted and removed', async () => {
    const { ProjectMilestones: milestones } = api;
    const dates = { startDate: '2030-01-01', dueDate: '2030-02-01' };
    const made = await milestones.create(project.id, 'v1', { description: 'First', ...dates });
    expect(made).toMatchObject({ state: 'active', start_date: '2030-01-01', due_date: '2030-02-01' });
    expect(idsOf(await milestones.all(project.id, { iids: [made.iid], state: 'active' }))).toEqual([made.id]);
    expect(await milestones.edit(project.id, made.id, { stateEvent: 'close' })).toMatchObject({
      state: 'closed',
    });
    await milestones.promote(project.id, made.id);
    expect(await refusalOf(milestones.show(project.id, made.id))).toEqual([404, '404 Not found']);
    const [promoted] = await api.GroupMilestones.all(group.id);
    expect(promoted).toMatchObject({ title: 'v1', state: 'closed' });
    await api.GroupMilestones.remove(group.id, promoted?.id ?? 0);
  });
});

describe('from an issue to a merged change', () => {
  const branch = 'topic';
  let iid: number;
  let milestoneId: number;
  let sha: string;
  let mergeRequestIid: number;

  const positionOf = async () => {
    const { diff_refs: refs } = await api.MergeRequests.show(project.id, mergeRequestIid);
    return {
      baseSha: String(refs.base_sha),
      startSha: String(refs.start_sha),
      headSha: String(refs.head_sha),
      positionType: 'text' as const,
      oldPath: 'new.md',
      newPath: 'new.md',
      newLine: '1',
    };
  };

  it('an issue is opened, found, measured, awaited, linked and put into an epic', async () => {
    const { Issues: issues, IssueLinks: links } = api;
    ({ id: milestoneId } = await api.ProjectMilestones.create(project.id, 'v2'));
    const options = {
      labels: 'bug,now',
      assigneeIds: [user.id],
      milestoneId,
      dueDate: '2030-02-02',
      weight: 2,
    };
    const issue = await issues.create(project.id, 'Something new', options);
    ({ iid } = issue);
    expect(issue).toMatchObject({ labels: ['bug', 'now'], assignees: [{ id: user.id }], weight: 2 });
    const wanted = { projectId: project.id, labels: 'bug', milestone: 'v2', state: 'opened' } as const;
    expect(idsOf(await issues.all(wanted))).toEqual([issue.id]);
    expect(await issues.all({ ...wanted, labels: 'other' })).toEqual([]);

    await issues.addTimeEstimate(project.id, iid, '3h30m');
    expect(await issues.addSpentTime(project.id, iid, '1h')).toMatchObject({
      human_time_estimate: '3h 30m',
      total_time_spent: 3600,
    });
    expect(await issues.unsubscribe(project.id, iid)).toMatchObject({ subscribed: false });
    expect(idsOf(await issues.allParticipants(project.id, iid))).toEqual([user.id]);

    const other = await issues.create(project.id, 'Another');
    await links.create(project.id, iid, project.id, other.iid);
    const [link] = await links.all(project.id, iid);
    expect(await links.remove(project.id, iid, link?.issue_link_id ?? 0)).toMatchObject({
      source_issue: { id: issue.id },
      target_issue: { id: other.id },
    });
    const epic = await api.Epics.create(group.id, 'All of it');
    await api.EpicIssues.assign(group.id, epic.iid, issue.id);
    expect(await api.EpicIssues.all(group.id, epic.iid)).toMatchObject([{ id: issue.id }]);
    expect(await api.IssueLabelEvents.all(project.id, iid)).toMatchObject([
      { action: 'add', label: { name: 'bug' } },
      { action: 'add', label: { name: 'now' } },
    ]);
  });

  it('it is talked about', async () => {
    const { IssueNotes: notes, IssueDiscussions: discussions, IssueAwardEmojis: awards } = api;
    const note = await notes.create(project.id, iid, 'Plain');
    expect(await notes.edit(project.id, iid, note.id, { body: 'Changed' })).toMatchObject({
      body: 'Changed',
    });
    const { id } = await discussions.create(project.id, iid, 'Why?');
    await discussions.addNote(project.id, iid, id, 'Because');
    expect(await discussions.show(project.id, iid, id)).toMatchObject({
      notes: [{ body: 'Why?' }, { body: 'Because', type: 'DiscussionNote' }],
    });
    const award = await awards.award(project.id, iid, 'heart');
    expect(await refusalOf(awards.award(project.id, iid, 'heart'))).toEqual([404, expect.any(String)]);
    await awards.remove(project.id, iid, award.id);
    expect(await refusalOf(notes.create(project.id, iid, ''))).toEqual([
      400,
      expect.stringContaining('blank'),
    ]);
    expect(await refusalOf(notes.show(project.id, iid, 1e9))).toEqual([404, '404 Not found']);
  });

  it('a change is proposed, discussed on a line, approved and merged, and the issue is closed', async () => {
    const { MergeRequests: requests, MergeRequestDiscussions: discussions } = api;
    ({ id: sha } = await api.Commits.create(
      project.id,
      branch,
      `Something new\n\nCloses #${iid}`,
      [{ action: 'create', filePath: 'new.md', content: 'new\n' }],
      { startBranch: 'master' },
    ));
    const options = { labels: 'bug', assigneeId: user.id, milestoneId, removeSourceBranch: true };
    ({ iid: mergeRequestIid } = await requests.create(project.id, branch, 'master', 'New', options));
    const at = [project.id, mergeRequestIid] as const;
    const again = requests.create(project.id, branch, 'master', 'New');
    expect(await refusalOf(again)).toEqual([409, expect.stringContaining(`branch: !${mergeRequestIid}`)]);
    expect(await requests.all({ projectId: project.id, sourceBranch: branch })).toHaveLength(1);
    expect((await requests.allCommits(...at)).map(({ id }) => id)).toEqual([sha]);
    expect(await requests.allDiffVersions(...at)).toMatchObject([{ head_commit_sha: sha }]);
    expect(await requests.allIssuesClosed(...at)).toMatchObject([{ iid }]);

    const { id } = await discussions.create(...at, 'Here', { position: await positionOf() });
    expect(await discussions.resolve(...at, id, true)).toMatchObject({
      notes: [{ type: 'DiffNote', resolved: true, position: { new_path: 'new.md', new_line: 1 } }],
    });
    expect(await refusalOf(requests.merge(...at, { sha: project.tip }))).toEqual([
      409,
      'SHA does not match HEAD of source branch',
    ]);
    expect(await requests.merge(...at, { sha })).toMatchObject({
      state: 'merged',
      merged_by: { id: user.id },
    });
    expect(await refusalOf(requests.merge(...at))).toEqual([405, '405 Method Not Allowed']);
    expect((await refusalOf(api.Branches.show(project.id, branch)))[0]).toBe(404);

    expect(await api.Commits.allMergeRequests(project.id, sha)).toMatchObject([{ iid: mergeRequestIid }]);
    const merged = await api.ProjectMilestones.allAssignedMergeRequests(project.id, milestoneId);
    expect(merged).toMatchObject([{ iid: mergeRequestIid }]);
    await until(async () => (await api.Issues.show(iid, { projectId: project.id })).state === 'closed');
    expect(await api.Issues.allClosedByMergeRequestst(project.id, iid)).toMatchObject([{ title: 'New' }]);
  });

  it('snippets are made, read and removed', async () => {
    const options = { fileName: 'a.rb', content: 'puts 1', visibility: 'private', description: '' } as const;
    const { id } = await api.ProjectSnippets.create(project.id, 'Code', options);
    expect(await api.ProjectSnippets.showContent(project.id, id)).toBe('puts 1');
    await api.ProjectSnippets.remove(project.id, id);
    expect(await refusalOf(api.ProjectSnippets.show(project.id, id))).toEqual([404, '404 Not found']);
  });
});

describe('pipelines, jobs and runners', () => {
  const CONFIGURATION = `
build: { stage: build, script: [make], artifacts: { paths: [out] } }
deploy: { stage: deploy, script: [go], when: manual }
`;
  let work: BuiltProject;

  beforeAll(async () => {
    work = await app.current.build.project({ owner: user, files: { '.gitlab-ci.yml': CONFIGURATION } });
  });

  it('a pipeline with variables is made, run, played on, and removed', async () => {
    const { Pipelines: pipelines, Jobs: jobs, JobArtifacts: artifacts } = api;
    const variables = [{ key: 'A', value: '1', variable_type: 'env_var' as const }];
    const { id, status } = await pipelines.create(work.id, 'master', { variables });
    expect(status).toBe('pending');
    expect(await pipelines.allVariables(work.id, id)).toEqual(variables);
    expect(idsOf(await pipelines.all(work.id, { ref: 'master', status: 'pending' }))).toEqual([id]);
    expect(await refusalOf(pipelines.create(work.id, 'unknown'))).toEqual([
      400,
      expect.stringContaining('Reference not found'),
    ]);

    const { runners_token: token } = await api.Projects.show(work.id);
    const runner = await RunnerClient.register(app.current.api, { token: String(token) });
    const job = await runner.take();
    await runner.log(job, 'made');
    await runner.upload(job, zipOf([{ name: 'out/a', content: 'made' }]));
    await runner.report(job, 'success');
    expect(await jobs.show(work.id, job.id)).toMatchObject({
      status: 'success',
      coverage: null,
      runner: { id: runner.id },
      artifacts_file: { filename: 'artifacts.zip' },
    });
    expect(await jobs.showLog(work.id, job.id)).toBe('made');
    const source = { ref: 'master', job: 'build', artifactPath: 'out/a' };
    expect(await (await artifacts.downloadArchive(work.id, source)).text()).toBe('made');

    const manual = (await jobs.all(work.id, { pipelineId: id })).find(({ name }) => name === 'deploy');
    const played = await jobs.play(work.id, manual?.id ?? 0);
    expect(played).toMatchObject({ name: 'deploy', status: 'pending' });
    expect(await jobs.cancel(work.id, played.id)).toMatchObject({ status: 'canceled' });
    expect(await jobs.retry(work.id, played.id)).toMatchObject({ name: 'deploy', status: 'pending' });
    expect(await pipelines.cancel(work.id, id)).toMatchObject({ status: 'canceled' });
    expect(await jobs.erase(work.id, job.id)).not.toHaveProperty('artifacts_file');
    expect(idsOf(await api.Runners.allJobs(runner.id))).toEqual([job.id]);
    await pipelines.remove(work.id, id);
    expect(await refusalOf(pipelines.show(work.id, id))).toEqual([404, '404 Not found']);
  });

  it('a runner is registered, verified, changed, lent to another project and removed', async () => {
    const { Runners: runners } = api;
    const { runners_token: registration } = await api.Projects.show(work.id);
    const options = { description: 'mine', tagList: ['a', 'b'], locked: false };
    const { id, token } = await runners.register(String(registration), options);
    expect(await runners.edit(id, { description: 'ours' })).toMatchObject({
      description: 'ours',
      tag_list: ['a', 'b'],
      projects: [{ id: work.id }],
    });
    await runners.enable(project.id, id);
    expect(idsOf(await runners.all({ projectId: project.id }))).toEqual([id]);
    await runners.disable(project.id, id);
    await runners.remove({ token });
    expect(await refusalOf(runners.show(id))).toEqual([404, expect.any(String)]);
    expect(await refusalOf(runners.register('nobody’s token', options))).toEqual([403, '403 Forbidden']);
  });
});

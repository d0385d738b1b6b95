import type { ApiClient } from '../../support/api-client';
import type { TestApplication } from '../../support/application';
import type { BuiltGroup, BuiltUser } from '../../support/builders';
import type { GivenJob } from '../../support/runner-client';

/** Something below a project or a group, as paths name it. */
export interface Numbered {
  readonly id: number;
  readonly iid: number;
  readonly parent: number;
}

/** The things that everybody works on at once, as far as anybody was told of them; some are gone meanwhile. */
export class BusyPlace {
  readonly projects: number[] = [];
  readonly groups: BuiltGroup[] = [];
  readonly people: BuiltUser[] = [];
  readonly passing: BuiltUser[] = [];
  readonly issues: Numbered[] = [];
  readonly mergeRequests: Numbered[] = [];
  readonly epics: Numbered[] = [];
  readonly milestones: { readonly id: number; readonly place: string }[] = [];
  readonly notes: { readonly path: string }[] = [];
  readonly awards: { readonly path: string }[] = [];
  readonly links: { readonly path: string }[] = [];
  readonly pipelines: Numbered[] = [];
  readonly branches: { readonly parent: number; readonly name: string }[] = [];
  readonly running: GivenJob[] = [];

  private constructor(readonly root: BuiltUser) {}

  /** Few projects, in and between a few groups, so that everybody meets everybody. */
  static async build(app: TestApplication): Promise<BusyPlace> {
    const { build } = app;
    const things = new BusyPlace(await build.user({ admin: true }));
    for (let number = 0; number < 3; number += 1) things.people.push(await build.user());
    const [owner, maintainer, developer] = things.people;
    if (!owner || !maintainer || !developer) throw new Error('three were made');
    const members = { owner, maintainer, developer };
    const outer = await build.group({ visibility: 'public', members });
    const inner = await build.group({ visibility: 'public', parent: outer });
    things.groups.push(outer, inner, await build.group({ visibility: 'public', members }));
    for (let number = 0; number < 3; number += 1) await things.addProject(app.as(owner), number);
    return things;
  }

  /** A project with jobs that need a runner. */
  async addProject(api: ApiClient, number: number): Promise<void> {
    const group = this.groups[number % this.groups.length];
    const { status, body } = await api.post('/projects', {
      name: `busy-${number}-${Math.random().toString(36).slice(2)}`,
      namespace_id: group?.id,
      visibility: 'public',
      initialize_with_readme: true,
    });
    if (status !== 201) return;
    const action = { action: 'create', file_path: '.gitlab-ci.yml', content: CONFIGURATION };
    await api.post(`/projects/${body.id}/repository/commits`, {
      branch: 'master',
      commit_message: 'Jobs',
      actions: [action],
    });
    this.projects.push(body.id);
  }
}

const CONFIGURATION = `
stages: [build, test]
first: { stage: build, script: [make] }
second: { stage: build, script: [make], allow_failure: true }
third: { stage: test, script: [make test] }
manual: { stage: test, script: [deploy], when: manual }
`;

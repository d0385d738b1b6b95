import { RefIntentRecovery } from '../../src/repository/changes/ref-intent-recovery.job';
import { RefMoves } from '../../src/repository/changes/ref-moves.service';
import { ProjectPushes } from '../../src/repository/git-http/project-push';
import { ProjectsRepository } from '../../src/repository/projects/projects.repository';
import { Repositories } from '../../src/repository/storages/repositories';
import { Level } from '#libs/access';
import { GitFixture } from '#libs/testing';
import { useApplication } from '../support/application';
import type { BuiltProject, BuiltUser } from '../support/builders';
import { toldUpdates, ZERO } from './support/verdicts';

const NEVER_MADE = '12'.repeat(20);

describe('recovery of interrupted moves of refs', () => {
  const application = useApplication();
  let owner: BuiltUser;
  let project: BuiltProject;

  beforeEach(async () => {
    const { build } = application.current;
    owner = await build.user();
    project = await build.project({ owner, members: { maintainer: owner }, files: { README: 'x' } });
  });

  const moveOf = (ref: string, newSha: string, oldSha = ZERO) => ({ ref, oldSha, newSha });
  const note = (age: string, ...refs: { ref: string }[]) =>
    application.current.database.query(
      `INSERT INTO ref_intents (project_id, actor_id, updates, created_at) VALUES ($1, $2, $3, now() - $4::interval)`,
      [project.id, owner.id, JSON.stringify({ source: 'push', refs }), age],
    );
  const recover = (signal = new AbortController().signal): Promise<void> =>
    application.current.nest.get(RefIntentRecovery).run({}, { signal });
  const notes = async (): Promise<number | null> =>
    (
      await application.current.database.query('SELECT 1 FROM ref_intents WHERE project_id = $1', [
        project.id,
      ])
    ).rowCount;
  const told = async (): Promise<string[]> =>
    (await toldUpdates(application.current.database, project.id)).map(({ ref }) => ref);

  it('records a move that took effect, and forgets one that did not', async () => {
    await note('1 hour', moveOf('refs/heads/master', project.tip), moveOf('refs/heads/half', project.tip));
    await note('1 hour', moveOf('refs/heads/never', project.tip));
    await recover();
    expect([await notes(), await told()]).toEqual([0, ['refs/heads/master']]);
  });

  it('needs little time where there is no doubt, and more where somebody may still be at it', async () => {
    await note('2 minutes', moveOf('refs/heads/master', project.tip));
    await note('2 minutes', moveOf('refs/heads/slow', project.tip));
    await note('5 seconds', moveOf('refs/heads/master', project.tip));
    await recover();
    expect([await notes(), await told()]).toEqual([2, ['refs/heads/master']]);
  });

  it('takes a move for done when somebody went on from there, and not when the ref never came by', async () => {
    const next = await GitFixture.on(project.repositoryPath).commit({
      branch: 'master',
      files: { more: 'y' },
    });
    await note('1 hour', moveOf('refs/heads/master', project.tip));
    await note('1 hour', moveOf('refs/heads/master', NEVER_MADE, project.tip));
    await recover();
    const updates = await toldUpdates(application.current.database, project.id);
    expect(updates).toEqual([moveOf('refs/heads/master', project.tip)]);
    expect(next).not.toBe(project.tip);
  });

  it('tells a move once that was tried again after it had been broken off', async () => {
    const again = await GitFixture.on(project.repositoryPath).commit({ branch: 'other', files: { f: 'z' } });
    const move = moveOf('refs/heads/again', again);
    await note('1 hour', move);
    await GitFixture.on(project.repositoryPath).git('update-ref', move.ref, again);
    await application.current.database.query(
      `INSERT INTO outbox_events (name, payload) VALUES ('repository.refs_updated', $1)`,
      [JSON.stringify({ projectId: project.id, actorId: owner.id, source: 'push', updates: [move] })],
    );
    await recover();
    expect([await notes(), await told()]).toEqual([0, [move.ref]]);
  });

  it('is kept from none by one whose repository is away', async () => {
    const { build, database } = application.current;
    await note('2 hours', moveOf('refs/heads/master', project.tip));
    await database.query(`UPDATE projects SET repository_storage = 'elsewhere' WHERE id = $1`, [project.id]);
    const away = project;
    project = await build.project({ owner, files: { README: 'y' } });
    await note('1 hour', moveOf('refs/heads/master', project.tip));
    await recover();
    expect([await notes(), await told()]).toEqual([0, ['refs/heads/master']]);
    project = away;
    expect(await notes()).toBe(1);
  });

  it('is kept from none by more than a page of those that stay', async () => {
    await application.current.database.query(
      `INSERT INTO ref_intents (project_id, actor_id, updates, created_at)
       SELECT $1, $2, $3, now() - interval '2 minutes' FROM generate_series(1, 250)`,
      [
        project.id,
        owner.id,
        JSON.stringify({ source: 'push', refs: [moveOf('refs/heads/slow', project.tip)] }),
      ],
    );
    await note('2 minutes', moveOf('refs/heads/master', project.tip));
    await recover();
    expect([await notes(), await told()]).toEqual([250, ['refs/heads/master']]);
  });

  it('leaves a repository that is at work for the next time', async () => {
    await note('1 hour', moveOf('refs/heads/master', project.tip));
    await application.current.nest.get(RefMoves).locked(project, () => recover());
    expect([await notes(), await told()]).toEqual([1, []]);
    await recover();
    expect([await notes(), await told()]).toEqual([0, ['refs/heads/master']]);
  });

  it('stops when its time is up', async () => {
    await note('1 hour', moveOf('refs/heads/master', project.tip));
    await recover(AbortSignal.abort());
    expect(await notes()).toBe(1);
  });

  it('settles a push of which nobody could find out what it had moved', async () => {
    const { nest, database } = application.current;
    const found = await nest.get(ProjectsRepository).find(project.id);
    if (!found) throw new Error('the project was made');
    const user = { ...owner, isAdmin: false, isExternal: false, projectsLimit: 0, canCreateGroup: false };
    const actor = { user, level: Level.maintainer, credential: 'password' as const, scopes: [] };
    const push = nest.get(ProjectPushes).handler(actor, project.id);
    const move = moveOf('refs/heads/pushed', project.tip);
    const incoming = nest.get(Repositories).open(found);
    expect(await push.decide({ updates: [move], pushOptions: [], incoming })).toBeNull();
    await GitFixture.on(project.repositoryPath).git('update-ref', move.ref, move.newSha);
    await push.finished(null);
    expect([await notes(), await told()]).toEqual([1, []]);
    await database.query(`UPDATE ref_intents SET created_at = now() - interval '1 hour'`);
    await recover();
    expect([await notes(), await told()]).toEqual([0, [move.ref]]);
  });

  it('finds the first branch of a project that nobody had time to note', async () => {
    const { database } = application.current;
    await database.query('UPDATE projects SET default_branch = NULL WHERE id = $1', [project.id]);
    await application.current
      .as(owner)
      .post(`/projects/${project.id}/repository/branches`, { branch: 'later', ref: 'master' })
      .expect(201);
    const { body } = await application.current.as(owner).get(`/projects/${project.id}`);
    expect(body.default_branch).toBe('master');
  });
});

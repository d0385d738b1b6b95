import { RefIntentRecovery } from '../../src/repository/changes/ref-intent-recovery.job';
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
  const recover = (): Promise<void> => application.current.nest.get(RefIntentRecovery).run();
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

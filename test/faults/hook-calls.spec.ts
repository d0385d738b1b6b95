import { until } from '#libs/testing';
import { HookReceiver } from '../support/hook-receiver';
import { useSite } from './support/site';

const ENVIRONMENT = { ALLOW_LOCAL_WEBHOOKS: 'true' };

describe('a node that is killed before its hooks are called', () => {
  const site = useSite();
  let receiver: HookReceiver;

  beforeAll(async () => {
    receiver = await HookReceiver.start();
  });
  afterAll(() => receiver.close());

  /** The jobs of dead nodes count as lost at once, not only when their time is up. */
  const forgetDeadNodes = () =>
    site.current.rows.query(
      `UPDATE pgboss.job SET started_on = now() - interval '1 hour'
       WHERE state = 'active' AND (name LIKE 'hooks.call%' OR name = 'events.hooks')`,
    );

  it('leaves every call to another node, those it was about to make and the one it was making', async () => {
    const first = await site.current.start(ENVIRONMENT);
    const project = await first.api.create('/projects', { path: 'hooked', initialize_with_readme: true });
    const hook = await first.api.create(`/projects/${project.id}/hooks`, { url: receiver.url });
    // The first call is under way for as long as the node lives.
    receiver.answer = () => undefined;
    const branches = `/projects/${project.id}/repository/branches`;
    await first.api.create(branches, { branch: 'under-way', ref: 'master' });
    await receiver.got(1);
    const last = Promise.all(
      [1, 2, 3, 4, 5].map((number) =>
        first.api.create(branches, { branch: `queued-${number}`, ref: 'master' }),
      ),
    );
    await last;
    await first.process.kill();
    receiver.answer = (response) => response.end();
    const second = await site.current.start(ENVIRONMENT);
    const expected = ['under-way', ...[1, 2, 3, 4, 5].map((number) => `queued-${number}`)];
    const entries = await until(async () => {
      await forgetDeadNodes();
      const { body } = await second.api.get(`/projects/${project.id}/hooks/${hook.id}/events`);
      return (
        body.filter(({ response_status: status }: { response_status: number | null }) => status === 200)
          .length >= 6 && body
      );
    }, 60_000);
    const told = entries.map((entry: { request_data: { ref: string } }) => entry.request_data.ref.slice(11));
    expect(told.sort()).toEqual(expected.sort());
    const refs = new Set(receiver.calls.map(({ body }) => body['ref']));
    expect(refs).toEqual(new Set(expected.map((branch) => `refs/heads/${branch}`)));
  }, 120_000);
});

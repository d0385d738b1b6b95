import { spawn } from 'node:child_process';
import { buffer } from 'node:stream/consumers';
import type { GitService } from '../git';
import { packetLine, protocolEnvironment } from './protocol';
import { GitSite } from './smart-http.fixture';

describe('the protocol a client asks for', () => {
  it.each([
    'version=0',
    'version=1',
    'version=2',
    'version=2:agent=git/x'.replace('/', '-'),
    'version=1:version=2',
  ])('passes %s on', (protocol) => expect(protocolEnvironment(protocol)).toEqual({ GIT_PROTOCOL: protocol }));

  it.each([
    null,
    '',
    'version=3',
    'version=2\n',
    'version=2; x',
    'VERSION=2',
    'version=2:',
    `version=2:${'a'.repeat(300)}`,
  ])('ignores %j', (protocol) => expect(protocolEnvironment(protocol)).toEqual({}));

  it('counts the length digits of a packet', () => {
    expect(packetLine('hé\n').toString()).toBe('0008hé\n');
  });
});

describe('the advertisement', () => {
  let site: GitSite;

  beforeAll(async () => {
    site = await GitSite.start();
    const work = await site.workTree();
    await site.must(['push', '--quiet', 'origin', 'main', 'main:side'], work);
    for (const setting of [
      'uploadpack.allowFilter',
      'uploadpack.allowAnySHA1InWant',
      'receive.advertisePushOptions',
      'http.receivepack',
    ]) {
      await site.inside('config', setting, 'true');
    }
  });

  afterAll(() => site.close());

  const ofGit = async (service: GitService, protocol: string): Promise<string> => {
    const cgi = spawn('git', ['http-backend'], {
      env: {
        PATH: process.env['PATH'],
        GIT_HTTP_EXPORT_ALL: '1',
        GIT_PROJECT_ROOT: site.folder,
        PATH_INFO: '/site.git/info/refs',
        QUERY_STRING: `service=${service}`,
        REQUEST_METHOD: 'GET',
        GIT_PROTOCOL: protocol,
        HOME: site.folder,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const answer = (await buffer(cgi.stdout)).toString('latin1');
    return answer.slice(answer.indexOf('\r\n\r\n') + 4);
  };

  const ours = async (service: GitService, protocol: string): Promise<string> =>
    (await buffer(await site.transport().advertise(service, protocol))).toString('latin1');

  it.each<[GitService, string]>([
    ['git-upload-pack', ''],
    ['git-upload-pack', 'version=1'],
    ['git-upload-pack', 'version=2'],
    ['git-upload-pack', 'version=1:version=2'],
    ['git-receive-pack', ''],
    ['git-receive-pack', 'version=1'],
  ])('of %s with "%s" is that of git http-backend, byte for byte', async (service, protocol) => {
    expect(await ours(service, protocol)).toBe(await ofGit(service, protocol));
  });

  it('has a banner for pushes in version 2, which fall back to version 0', async () => {
    expect(await ours('git-receive-pack', 'version=2')).toBe(await ours('git-receive-pack', ''));
  });
});

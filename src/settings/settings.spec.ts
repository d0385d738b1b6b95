import path from 'node:path';
import { readSettings, SettingsError } from './settings';
import { SETTINGS_HELP } from './settings-help';

/** The problems that reading the environment shows. */
function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readSettings(env);
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
}

describe('settings', () => {
  it('have a default for everything', () => {
    expect(readSettings({})).toEqual({
      port: 3000,
      impersonationEnabled: true,
      scimKeepInactive: false,
      scimTrustedDomains: new Set(),
      host: '127.0.0.1',
      externalUrl: 'http://localhost:3000',
      dataDir: path.resolve('data'),
      databaseUrl: null,
      repositoryStorages: new Map([['default', path.resolve('data/repositories')]]),
      uploadsDir: path.resolve('data/uploads'),
      uploadLimitBytes: 10 * 1024 * 1024,
      artifactLimitBytes: 100 * 1024 * 1024,
      runnersToken: null,
      tier: 'ultimate',
      initialRootToken: null,
      initialRootPassword: null,
      allowLocalWebhooks: false,
      smtpUrl: null,
      mailFrom: 'noreply@localhost',
      webConcurrency: 1,
      logLevel: 'info',
      ldapProviders: [],
      ldapSyncMinutes: 60,
    });
  });

  it('count an empty value as unset', () => {
    const empty = Object.fromEntries(SETTINGS_HELP.map(({ name }) => [name, '']));
    expect(readSettings(empty)).toEqual(readSettings({}));
  });

  it('are read from the environment', () => {
    const settings = readSettings({
      PORT: '8080',
      HOST: '0.0.0.0',
      EXTERNAL_URL: 'https://code.example.com/git/',
      DATA_DIR: '/srv/data',
      DATABASE_URL: 'postgres://me:secret@db.example.com:5432/code',
      UPLOAD_LIMIT_MB: '25',
      INITIAL_ROOT_TOKEN: 'a'.repeat(20),
      INITIAL_ROOT_PASSWORD: 'passw0rd',
      ALLOW_LOCAL_WEBHOOKS: 'true',
      SMTP_URL: 'smtps://me:secret@mail.example.com:465',
      MAIL_FROM: 'code@example.com',
      SCIM_TRUSTED_DOMAINS: 'Example.com, example.org',
      WEB_CONCURRENCY: '4',
      LOG_LEVEL: 'silent',
      SOMETHING_ELSE: 'is not ours',
    });
    expect(settings).toMatchObject({
      port: 8080,
      host: '0.0.0.0',
      externalUrl: 'https://code.example.com/git',
      dataDir: '/srv/data',
      databaseUrl: 'postgres://me:secret@db.example.com:5432/code',
      repositoryStorages: new Map([['default', '/srv/data/repositories']]),
      uploadsDir: '/srv/data/uploads',
      uploadLimitBytes: 25 * 1024 * 1024,
      initialRootToken: 'a'.repeat(20),
      initialRootPassword: 'passw0rd',
      allowLocalWebhooks: true,
      smtpUrl: 'smtps://me:secret@mail.example.com:465',
      mailFrom: 'code@example.com',
      scimTrustedDomains: new Set(['example.com', 'example.org']),
      webConcurrency: 4,
      logLevel: 'silent',
    });
  });

  it('follow the port in the default external URL', () => {
    expect(readSettings({ PORT: '8081' }).externalUrl).toBe('http://localhost:8081');
  });

  it('take several repository storages, the first one first', () => {
    const { repositoryStorages } = readSettings({ REPOSITORY_STORAGES: 'fast=/ssd/repos, big=/nfs/a=b' });
    expect([...repositoryStorages]).toEqual([
      ['fast', '/ssd/repos'],
      ['big', '/nfs/a=b'],
    ]);
  });

  it.each([
    ['core', 'core'],
    ['starter', 'starter'],
    ['premium', 'premium'],
    ['ultimate', 'ultimate'],
    ['free', 'core'],
    ['bronze', 'starter'],
    ['silver', 'premium'],
    ['gold', 'ultimate'],
  ])('know the tier %s as %s', (name, tier) => {
    expect(readSettings({ TIER: name }).tier).toBe(tier);
  });

  it.each([
    ['PORT', '0'],
    ['PORT', '65536'],
    ['PORT', ' 80'],
    ['PORT', '0x50'],
    ['PORT', '8e3'],
    ['HOST', 'http://localhost'],
    ['EXTERNAL_URL', 'code.example.com'],
    ['EXTERNAL_URL', 'ftp://code.example.com'],
    ['EXTERNAL_URL', 'http://me:secret@code.example.com'],
    ['EXTERNAL_URL', 'http://code.example.com/?a=b'],
    ['DATABASE_URL', 'mysql://db/code'],
    ['DATABASE_URL', 'postgres://db'],
    ['REPOSITORY_STORAGES', '/srv/repositories'],
    ['REPOSITORY_STORAGES', 'one=/a,one=/b'],
    ['REPOSITORY_STORAGES', 'one='],
    ['REPOSITORY_STORAGES', 'o/ne=/a'],
    ['TIER', 'platinum'],
    ['TIER', 'constructor'],
    ['TIER', 'Premium'],
    ['INITIAL_ROOT_TOKEN', 'short'],
    ['INITIAL_ROOT_PASSWORD', '1234567'],
    ['ALLOW_LOCAL_WEBHOOKS', 'yes'],
    ['SMTP_URL', 'mail.example.com'],
    ['SMTP_URL', 'http://mail.example.com'],
    ['MAIL_FROM', 'Code <code@example.com>'],
    ['MAIL_FROM', 'a@example.com,b@example.com'],
    ['SCIM_TRUSTED_DOMAINS', '*'],
    ['SCIM_TRUSTED_DOMAINS', 'a@example.com'],
    ['SCIM_TRUSTED_DOMAINS', 'example.com,,example.org'],
    ['WEB_CONCURRENCY', '0'],
    ['WEB_CONCURRENCY', '65'],
    ['LOG_LEVEL', 'verbose'],
  ])('refuse %s=%s, naming the variable and what is accepted', (name, value) => {
    expect(problemsOf({ [name]: value })).toEqual([
      expect.stringMatching(new RegExp(`^${name} must be .{4,}`)),
    ]);
  });

  it('show all problems at once', () => {
    expect(problemsOf({ PORT: 'x', TIER: 'y', LOG_LEVEL: 'z' })).toHaveLength(3);
  });

  it('never repeat a refused secret', () => {
    const said = problemsOf({
      INITIAL_ROOT_TOKEN: 'hunter2',
      DATABASE_URL: 'pg://u:hunter2@h',
      SMTP_URL: 'u:hunter2@h',
    }).join(' ');
    expect(said).not.toContain('hunter2');
  });

  it('are each explained once', () => {
    const names = SETTINGS_HELP.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(SETTINGS_HELP.every(({ meaning }) => meaning.endsWith('.'))).toBe(true);
  });
});

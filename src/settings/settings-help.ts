/** One setting as the README lists it. */
export interface SettingHelp {
  /** As it is set in the environment. */
  readonly name: string;
  /** What counts when it is unset or empty; in words where it depends on other settings. */
  readonly default: string;
  readonly meaning: string;
}

/** All settings, in the order of the README. */
export const SETTINGS_HELP = [
  { name: 'PORT', default: '3000', meaning: 'TCP port of the HTTP server.' },
  {
    name: 'HOST',
    default: '127.0.0.1',
    meaning:
      'Address to listen on. Passwords and tokens travel over this port unencrypted, so by default only this machine reaches it; `0.0.0.0` opens it to others (behind a TLS proxy, or in a container).',
  },
  {
    name: 'EXTERNAL_URL',
    default: 'http://localhost:PORT',
    meaning: 'How users reach the service; the start of every URL in answers. `http` or `https`.',
  },
  { name: 'DATA_DIR', default: './data', meaning: 'Directory for everything that must survive a restart.' },
  {
    name: 'DATABASE_URL',
    default: 'the embedded PostgreSQL',
    meaning:
      'Address of a PostgreSQL server, `postgres://user:password@host:port/database`; needed for several machines.',
  },
  {
    name: 'REPOSITORY_STORAGES',
    default: 'default=DATA_DIR/repositories',
    meaning:
      'Named directories for repositories, `name=/path,name2=/path2`. The first one takes new repositories; on several machines each is a shared file system.',
  },
  {
    name: 'UPLOADS_DIR',
    default: 'DATA_DIR/uploads',
    meaning: 'Directory for files that users send to projects; on several machines a shared file system.',
  },
  {
    name: 'UPLOAD_LIMIT_MB',
    default: '10',
    meaning: 'The most that such a file may have, 1 to 10240 MiB.',
  },
  {
    name: 'ARTIFACT_LIMIT_MB',
    default: '100',
    meaning: 'The most that one archive of artifacts of a CI job may have, 1 to 10240 MiB.',
  },
  {
    name: 'RUNNERS_TOKEN',
    default: 'none',
    meaning:
      'What CI runners register with that serve every project, at least 20 characters; without it runners serve the project or group whose token they register with.',
  },
  {
    name: 'TIER',
    default: 'ultimate',
    meaning:
      'Licensed features: `core`, `starter`, `premium` or `ultimate` (also by their hosted names `free`, `bronze`, `silver`, `gold`).',
  },
  {
    name: 'INITIAL_ROOT_TOKEN',
    default: 'generated',
    meaning: 'Personal access token of `root`, made at the first start only. At least 20 characters.',
  },
  {
    name: 'INITIAL_ROOT_PASSWORD',
    default: 'none',
    meaning: 'Password of `root`, set at the first start only. At least 8 characters.',
  },
  {
    name: 'ALLOW_LOCAL_WEBHOOKS',
    default: 'false',
    meaning: 'Whether webhooks may call this machine and private networks: `true` or `false`.',
  },
  {
    name: 'IMPERSONATION_ENABLED',
    default: 'true',
    meaning: 'Whether the tokens that administrators make to act as other users are accepted.',
  },
  {
    name: 'SCIM_KEEP_INACTIVE',
    default: 'false',
    meaning:
      'Whether users whom an identity provider has deactivated stay visible to it with `active: false`, so that it can reactivate them; else they are gone for it until it sends them anew.',
  },
  {
    name: 'SCIM_TRUSTED_DOMAINS',
    default: 'none',
    meaning:
      'Mail domains of your own, `example.com,example.org`: users whom identity providers bring with an address there are confirmed at once. Addresses elsewhere wait for their owner, because whoever has the SCIM token of a group could claim anybody’s.',
  },
  {
    name: 'SMTP_URL',
    default: 'none',
    meaning:
      'Mail server, `smtp://user:password@host:587` (TLS when the server offers it) or `smtps://user:password@host:465`. Without one mails are written to `DATA_DIR/mails`.',
  },
  {
    name: 'MAIL_FROM',
    default: 'noreply@ the host of EXTERNAL_URL',
    meaning: 'Address of the sender of mails.',
  },
  { name: 'WEB_CONCURRENCY', default: '1', meaning: 'Server processes on this machine, 1 to 64.' },
  {
    name: 'LOG_LEVEL',
    default: 'info',
    meaning:
      'Least severe log lines written: `fatal`, `error`, `warn`, `info`, `debug`, `trace`, or `silent`.',
  },
  {
    name: 'LDAP_CONFIG',
    default: 'none',
    meaning:
      'Directories that people sign in by and that groups follow: JSON, or the path of a file that holds it; see docs/operations.md.',
  },
  {
    name: 'LDAP_SYNC_MINUTES',
    default: '60',
    meaning: 'How often accounts and linked groups are compared with the directories, 1 to 10080 minutes.',
  },
] as const satisfies readonly SettingHelp[];

export type SettingName = (typeof SETTINGS_HELP)[number]['name'];

import type { Settings } from '../settings/settings';
import { initialTokenFile } from './initial-token';
import type { Preparation } from './preparation';

function tokenLine({ first }: Preparation, settings: Settings): string {
  if (settings.initialRootToken !== null) return 'as INITIAL_ROOT_TOKEN said at the first start';
  const place = initialTokenFile(settings.dataDir);
  const generated = first?.generatedToken;
  return generated === undefined || generated === null
    ? `see ${place}`
    : `${generated}  (shown once; kept in ${place})`;
}

/** What a person who has just started the service wants to know. */
export function greeting(settings: Settings, preparation: Preparation): string {
  const { externalUrl, host, port } = settings;
  const rows: [string, string][] = [
    ['Sign-in page', `${externalUrl}/users/sign_in`],
    ['API', `${externalUrl}/api/v4`],
    ['API reference', `${externalUrl}/-/api`],
    ['Listening on', `${host}:${port}`],
    ['Repositories', [...settings.repositoryStorages.values()].join(', ')],
    ['Database', preparation.database.folder ?? 'the server of DATABASE_URL'],
    ['Token of root', tokenLine(preparation, settings)],
  ];
  return ['The service is ready.', ...rows.map(([name, value]) => `  ${name.padEnd(14)} ${value}`)].join(
    '\n',
  );
}

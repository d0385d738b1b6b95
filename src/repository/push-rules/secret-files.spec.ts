import { secretPatternOf } from './secret-files';

describe('a file that is likely to hold secrets', () => {
  it.each([
    ...['id_rsa', 'id_dsa', 'id_ecdsa', 'id_ed25519', 'id_ed25519_sk', 'home/.ssh/id_rsa', 'deploy_id_rsa'],
    ...['ssh/personal_rsa', 'config/server_ed25519', 'a.pem', 'dir/A.PEM', 'tls.key', '.key', 'putty.ppk'],
    ...['store.p12', 'store.pfx', 'aws/credentials', '.aws/credentials', 'home/.aws/credentials'],
    ...['.netrc', 'home/.pgpass', 'pry.history', '.bash_history', '.zsh_history', 'home/psql_history'],
  ])('is %s', (path) => {
    expect(secretPatternOf(path)).not.toBeNull();
  });

  it.each([
    ...[
      'id_rsa.pub',
      'id_rsa/readme',
      'grid_rsa',
      'personal_rsa',
      'server_rsa.md',
      'pem',
      'a.pem.md',
      'monkey',
    ],
    ...[
      'keys/readme',
      'credentials',
      'myaws/credentials',
      'netrc',
      'history',
      'history.md',
      'src/history.ts',
    ],
  ])('is not %s', (path) => {
    expect(secretPatternOf(path)).toBeNull();
  });
});

const fs = require('node:fs');
const path = require('node:path');

/** Packages that are ES modules only: Jest on Node 20 cannot require() them, so they are compiled to CommonJS (cached). */
function esmOnlyPackages() {
  const root = path.join(__dirname, 'node_modules');
  const names = fs
    .readdirSync(root)
    .flatMap((dir) =>
      dir.startsWith('@') ? fs.readdirSync(path.join(root, dir)).map((name) => `${dir}/${name}`) : [dir],
    );
  return names.filter((name) => {
    const manifest = path.join(root, name, 'package.json');
    return fs.existsSync(manifest) && JSON.parse(fs.readFileSync(manifest, 'utf8')).type === 'module';
  });
}

const asPattern = (names) => names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');

/** Packages that are loaded once a worker instead of once a file; see one-realm-environment.cjs. */
const { dependencies } = require('./package.json');
const testPackages = ['@gitbeaker/rest', 'fast-check', 'ldapjs', 'openid-client', 'supertest'];
const shared = asPattern([...Object.keys(dependencies), ...testPackages]);
const compiled = asPattern(esmOnlyPackages());

module.exports = {
  testEnvironment: '<rootDir>/libs/testing/src/jest/one-realm-environment.cjs',
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  testRegex: '\\.spec\\.ts$',
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/browser/'],
  globalSetup: '<rootDir>/libs/testing/src/jest/global-setup.ts',
  globalTeardown: '<rootDir>/libs/testing/src/jest/global-teardown.ts',
  transform: {
    '^(?!.*/node_modules/).+\\.ts$': '@swc/jest',
    [`/node_modules/(${shared})/.+\\.[cm]?js$`]: '<rootDir>/libs/testing/src/jest/native-package.cjs',
    'node_modules/.+\\.m?js$': '<rootDir>/libs/testing/src/jest/esm-transform.cjs',
  },
  transformIgnorePatterns: [`/node_modules/(?!(${shared}|${compiled})/)`],
  testTimeout: 30_000,
  // A worker grows with each file, and forking git out of a process of gigabytes costs more than the tests do.
  workerIdleMemoryLimit: '700MB',
};

// The folder rules of CONTRIBUTING.md. Run: npm run boundaries
const role = (...names) => `\\.(${names.join('|')})\\.ts$`;
const lib = (...names) => `^libs/(${names.join('|')})/`;
const ctx = (...names) => `^src/(${names.join('|')})/`;
const npm = 'node_modules';
const npmButTypeorm = 'node_modules/(?!typeorm/)'; // entities carry TypeORM column decorators and nothing else of npm
const AROUND = '^src/(cli|health|logging|reference|startup)/'; // the process around the contexts
const PUBLISHED = '^src/[^/]+/[^/]+\\.api\\.ts$';
const tests = '\\.(spec|fixture)\\.ts$';
const rule = (name, from, to) => ({ name, severity: 'error', from, to });
module.exports = {
  forbidden: [
    rule('no-cycles', {}, { circular: true }),
    rule('everything-resolves', {}, { couldNotResolve: true }), // what is not resolved is not checked either
    rule('libs-know-no-context', { path: '^libs/' }, { path: '^(src|test)/' }),
    rule('libs-by-front-door', { path: '^(src|test)/' }, { path: '^libs/[^/]+/src/(?!index\\.ts$)' }),
    // Jest's global set-up runs outside of its module system and cannot resolve "#libs/…".
    rule(
      'libs-by-front-door-among-libs',
      { path: '^libs/([^/]+)/', pathNot: '^libs/testing/src/database/test-cluster' },
      { path: '^libs/(?!testing/)[^/]+/src/(?!index\\.ts$)', pathNot: '^libs/$1/' },
    ),
    rule(
      'libs-leaf',
      { path: lib('errors', 'paging', 'tiers') },
      { path: '^libs/([^/]+)/', pathNot: lib('errors', 'paging', 'tiers') },
    ),
    rule(
      'libs-pure',
      { path: lib('access', 'git'), pathNot: tests },
      { path: '^libs/', pathNot: lib('errors', 'paging', 'tiers', 'access', 'git') },
    ),
    rule(
      'libs-presenting',
      { path: lib('presenting') },
      { path: '^libs/', pathNot: lib('errors', 'paging', 'tiers', 'access', 'presenting') },
    ),
    rule(
      'libs-persistence',
      { path: lib('database', 'events', 'jobs', 'mail'), pathNot: tests },
      { path: lib('http', 'testing', 'git') },
    ),
    rule(
      'libs-outbound',
      { path: lib('outbound'), pathNot: tests },
      { path: '^libs/', pathNot: lib('errors', 'outbound') },
    ),
    rule(
      'libs-http',
      { path: lib('http'), pathNot: tests },
      { path: lib('database', 'git', 'jobs', 'events', 'mail', 'testing') },
    ),
    rule(
      'contexts-by-published-api',
      { path: '^src/([^/]+)/', pathNot: AROUND },
      { path: '^src/[^/]+/', pathNot: ['^src/$1/', PUBLISHED, '^src/settings/', role('module')] },
    ),
    rule(
      'around-by-published-api',
      { path: AROUND },
      { path: '^src/[^/]+/', pathNot: [AROUND, PUBLISHED, '^src/settings/'] },
    ),
    rule('contexts-know-nothing-around', { path: '^src/[^/]+/', pathNot: AROUND }, { path: AROUND }),
    rule(
      'modules-by-modules',
      { path: '^src/([^/]+)/', pathNot: role('module') },
      { path: role('module'), pathNot: ['^src/$1/', '^src/settings/', '^src/app\\.module', npm] },
    ),
    rule('settings-know-nobody', { path: ctx('settings') }, { path: '^src/', pathNot: ctx('settings') }),
    rule(
      'identity-is-lowest',
      { path: ctx('identity') },
      { path: ctx('repository', 'planning', 'ci', 'collaboration', 'scim') },
    ),
    rule(
      'repository-sees-identity',
      { path: ctx('repository') },
      { path: ctx('planning', 'ci', 'collaboration', 'scim') },
    ),
    rule('planning-sees-repository', { path: ctx('planning') }, { path: ctx('ci', 'collaboration', 'scim') }),
    rule('ci-sees-repository', { path: ctx('ci') }, { path: ctx('planning', 'collaboration', 'scim') }),
    rule(
      'scim-sees-identity-alone',
      { path: ctx('scim') },
      { path: ctx('repository', 'planning', 'ci', 'collaboration') },
    ),
    // Pages for people: whatever the contexts publish they may show, and no context knows of them.
    rule(
      'nothing-stands-on-web',
      { path: '^src/', pathNot: ['^src/web/', '^src/app\\.module'] },
      { path: ctx('web') },
    ),
    rule(
      'entities-are-pure',
      { path: role('entity') },
      {
        path: [
          npmButTypeorm,
          lib('http', 'git', 'jobs', 'events'),
          role('controller', 'service', 'repository', 'presenter', 'params', 'job'),
        ],
      },
    ),
    rule(
      'policies-are-pure',
      { path: role('policy') },
      {
        path: [
          npm,
          lib('http', 'database', 'git', 'jobs', 'events'),
          role('controller', 'service', 'repository', 'presenter', 'params', 'job'),
        ],
      },
    ),
    rule(
      'presenters-are-pure',
      { path: role('presenter') },
      {
        path: [
          npm,
          lib('http', 'database', 'jobs', 'events'),
          role('controller', 'service', 'repository', 'job'),
        ],
      },
    ),
    // Shapes of git objects are what many presenters present; calling git is not their business.
    rule(
      'presenters-call-no-git',
      { path: role('presenter') },
      { path: lib('git'), dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'typeorm-in-persistence-only',
      {
        path: '^(src|libs|test)/',
        pathNot: [role('entity', 'repository', 'module'), lib('database', 'events', 'jobs', 'testing')],
      },
      { path: 'node_modules/(typeorm|@nestjs/typeorm)/' },
    ),
    rule(
      'controllers-see-no-persistence',
      { path: role('controller') },
      { path: [role('repository'), lib('database', 'git', 'jobs', 'events')] },
    ),
    rule(
      'application-knows-no-http',
      { path: role('service', 'repository', 'job') },
      { path: role('controller', 'presenter') },
    ),
    // Services may name the types of the params they are given. The callers folder implements the guard's own port.
    rule(
      'application-calls-no-http',
      { path: role('service', 'repository', 'job'), pathNot: '^src/repository/callers/' },
      { path: lib('http'), dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'testing-kit-in-tests-only',
      { path: '^(src|libs)/', pathNot: ['^libs/testing/', tests] },
      { path: lib('testing') },
    ),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    // "#libs/…" is a subpath import of package.json; its "source" condition leads to the TypeScript files.
    enhancedResolveOptions: {
      conditionNames: ['source', 'import', 'require', 'node', 'default', 'types'],
      exportsFields: ['exports'],
    },
  },
};

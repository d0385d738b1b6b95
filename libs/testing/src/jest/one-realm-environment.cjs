// Jest evaluates every package anew for every test file, in a realm of its own: half of what a short file costs. Here
// test files share the worker's realm, so that packages can be loaded once a worker, by Node itself (see
// native-package.cjs). The modules of this project stay fresh for each file.
const { createRequire } = require('node:module');
const path = require('node:path');
const vm = require('node:vm');
const { ModuleMocker } = require('jest-mock');

/** Stands for the realm that everything runs in: Node has no name for it that vm functions take. */
const thisRealm = vm.createContext({});
const compileFunction = vm.compileFunction;

vm.compileFunction = (source, parameters, options) => {
  if (options?.parsingContext !== thisRealm) return compileFunction(source, parameters, options);
  const { filename } = options;
  return compileFunction(source, parameters, {
    filename,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
};

const root = path.join(process.cwd(), 'package.json');
globalThis[Symbol.for('requirePackage')] = createRequire(root);

// With -i the global setup has run in this process and left packages behind that Jest's transforms have compiled.
const { dependencies } = require(root);
const folders = Object.keys(dependencies).map((name) => path.join('node_modules', name) + path.sep);
for (const file of Object.keys(require.cache))
  if (folders.some((folder) => file.includes(folder))) delete require.cache[file];

module.exports = class OneRealmEnvironment {
  global = globalThis;
  fakeTimers = null;
  fakeTimersModern = null;
  moduleMocker = new ModuleMocker(globalThis);

  constructor({ projectConfig }) {
    this.conditions = projectConfig.testEnvironmentOptions.customExportConditions;
  }

  async setup() {}

  /** What a file has replaced in packages or in the realm would last for the next one. */
  async teardown() {
    this.moduleMocker.restoreAllMocks();
  }

  exportConditions() {
    return this.conditions;
  }

  getVmContext() {
    return thisRealm;
  }
};

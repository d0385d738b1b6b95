// Has Node load a package, once for all test files of a worker (see one-realm-environment.cjs). In Jest's main process,
// which only runs the global setup, packages are loaded as usual.
const crypto = require('node:crypto');
const esm = require('./esm-transform.cjs');

const isShared = () => globalThis[Symbol.for('requirePackage')] !== undefined;

module.exports = {
  getCacheKey: (source, file) =>
    isShared()
      ? crypto.createHash('sha1').update(`native\0${file}`).digest('hex')
      : esm.getCacheKey(source, file),
  process: (source, file) =>
    isShared()
      ? { code: `module.exports = globalThis[Symbol.for('requirePackage')](${JSON.stringify(file)});` }
      : esm.process(source, file),
};

// Makes require('#libs/…') find the sources, where package.json alone would lead to the build: in Jest's global
// setup, which Jest compiles but does not resolve, and in processes that tests start.
const Module = require('node:module');
const path = require('node:path');

const libs = path.resolve(__dirname, '../../..');
const resolve = Module._resolveFilename;

Module._resolveFilename = function (request, ...rest) {
  const lib = /^#libs\/([a-z-]+)$/.exec(request)?.[1];
  return lib ? path.join(libs, lib, 'src/index.ts') : resolve.call(this, request, ...rest);
};

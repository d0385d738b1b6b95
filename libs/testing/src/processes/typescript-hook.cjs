// Lets a plain node process run the project's TypeScript: node -r typescript-hook.cjs script.ts
require('../jest/resolve-libs.cjs');
const fs = require('node:fs');
const swc = require('@swc/core');

require.extensions['.ts'] = (module, file) => {
  const { code } = swc.transformSync(fs.readFileSync(file, 'utf8'), { filename: file, sourceMaps: 'inline' });
  module._compile(code, file);
};

// Jest 30 on Node 20 cannot require() ES modules: this compiles them to CommonJS and leaves the rest alone.
const fs = require('node:fs');
const path = require('node:path');
const crypto = require('node:crypto');
const swc = require('@swc/core');

const typeOfFolder = new Map();

function moduleType(folder) {
  const known = typeOfFolder.get(folder);
  if (known) return known;
  const manifest = path.join(folder, 'package.json');
  const parent = path.dirname(folder);
  const type = fs.existsSync(manifest)
    ? (JSON.parse(fs.readFileSync(manifest, 'utf8')).type ?? 'commonjs')
    : parent === folder
      ? 'commonjs'
      : moduleType(parent);
  typeOfFolder.set(folder, type);
  return type;
}

const isEsm = (file) =>
  file.endsWith('.mjs') || (file.endsWith('.js') && moduleType(path.dirname(file)) === 'module');

module.exports = {
  getCacheKey: (source, file) =>
    crypto.createHash('sha1').update(source).update(`\0${file}${swc.version}`).digest('hex'),
  process(source, file) {
    if (!isEsm(file)) return { code: source };
    return swc.transformSync(source, {
      filename: file,
      swcrc: false,
      sourceMaps: false,
      jsc: { target: 'es2022', parser: { syntax: 'ecmascript' } },
      module: { type: 'commonjs' },
    });
  },
};

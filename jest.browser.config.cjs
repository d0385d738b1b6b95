const { testPathIgnorePatterns, ...ours } = require('./jest.config.cjs');

/** The pages in a real browser: needs Chromium on the machine, which `npm test` must not. */
module.exports = { ...ours, testRegex: 'test/browser/.*\\.spec\\.ts$', testTimeout: 60_000 };

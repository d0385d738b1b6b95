import { params, wire } from '#libs/http';

const LONGEST = 256 * 1024;

export const LintConfiguration = params({
  content: wire.text({ max: LONGEST }).describe('Of a `.gitlab-ci.yml`'),
});

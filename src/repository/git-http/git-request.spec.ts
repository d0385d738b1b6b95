import { gitAddress } from './git-request';

const SERVICE = 'git-upload-pack';

describe('the address for clients that left out the suffix', () => {
  it('is that of the project', () => {
    expect(gitAddress('GET', '/group/project/info/refs', SERVICE)).toBe(
      '/group/project.git/info/refs?service=git-upload-pack',
    );
  });

  it.each(['//evil.example/x', '///evil.example/x', '/\\evil.example/x', '/group//x', '/.//evil.example'])(
    'is none for %s, which some client may take for another host',
    (path) => {
      expect(gitAddress('GET', `${path}/info/refs`, SERVICE)).toBeNull();
    },
  );
});

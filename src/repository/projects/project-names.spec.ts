import { nameProblem, pathFromName, pathProblem } from './project-names';

describe('names of projects', () => {
  it.each(['Foo', 'foo bar', '_x', 'Ünïcode 漢字', 'a.b-c_d', '🚀 launch', '9 lives', 'é'.normalize('NFD')])(
    'may be %s',
    (name) => {
      expect(nameProblem(name)).toBeNull();
    },
  );

  it.each([
    '',
    '  ',
    '-x',
    '.x',
    ' x',
    'a/b',
    '<b>',
    "'; DROP",
    'a\u0000b',
    'a\nb',
    'a\u202eb',
    'a\u200bb',
    'x'.repeat(256),
  ])('may not be %j', (name) => {
    expect(nameProblem(name)).toEqual(expect.any(String));
  });

  it('are checked in linear time', () => {
    expect(nameProblem(`${'a '.repeat(127)}!`)).toEqual(expect.any(String));
  });
});

describe('paths of projects', () => {
  it.each(['foo', 'Foo.bar', '_x', '.github', '0'])('may be %s', (path) => {
    expect(pathProblem(path)).toBeNull();
  });

  it.each([
    '',
    '.',
    '..',
    '...',
    'a/b',
    'a b',
    '-a',
    'a.git',
    'a.GIT',
    'a.atom',
    'blob',
    '\u0000',
    'x'.repeat(256),
  ])('may not be %j', (path) => {
    expect(pathProblem(path)).toEqual(expect.any(String));
  });
});

describe('the path made of a name', () => {
  it.each([
    ['Foo Project', 'foo-project'],
    ['Foo', 'Foo'],
    ['  Été à Paris!  ', 'ete-a-paris'],
    ['a -- b', 'a-b'],
    ['漢字', ''],
  ])('of %j is %j', (name, path) => {
    expect(pathFromName(name)).toBe(path);
  });
});

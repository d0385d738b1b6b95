import { GitLimitError } from '../git';
import { parseQuestion } from './hook-question';

const OLD = '1'.repeat(40);
const NEW = '2'.repeat(40);

function question(...parts: (string | Buffer)[]): Buffer {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}

describe('the question of a hook', () => {
  it('holds updates, options and the quarantine', () => {
    const bytes = question(
      '7\0/r/objects/q\0/r/objects\0/r/q\0',
      '2\0one\ntwo\0\0',
      `${OLD} ${NEW} refs/heads/a\n`,
    );
    expect(parseQuestion(bytes)).toEqual({
      updates: [{ ref: 'refs/heads/a', oldSha: OLD, newSha: NEW }],
      unreadableRefs: [],
      processId: 7,
      pushOptions: ['one\ntwo', ''],
      quarantine: {
        GIT_OBJECT_DIRECTORY: '/r/objects/q',
        GIT_ALTERNATE_OBJECT_DIRECTORIES: '/r/objects',
        GIT_QUARANTINE_PATH: '/r/q',
      },
    });
  });

  it('knows no quarantine when the push only deletes', () => {
    expect(parseQuestion(question('7\0\0\0\0', '0\0', `${OLD} ${NEW} refs/heads/a\n`)).quarantine).toEqual(
      {},
    );
  });

  it('keeps names that are no UTF-8 apart', () => {
    const bytes = question('7\0\0\0\0', '0\0', `${OLD} ${NEW} refs/heads/`, Buffer.from([0xe9]), '\n');
    expect(parseQuestion(bytes)).toMatchObject({ updates: [], unreadableRefs: ['refs/heads/\ufffd'] });
  });

  it.each([
    ['without its end', '/r/objects'],
    ['with a line of another form', '7\0\0\0\0' + '0\0nonsense\n'],
  ])('is refused %s', (_name, text) =>
    expect(() => parseQuestion(Buffer.from(text))).toThrow('the hook left'),
  );

  it.each(['x', '-1', '1001'])('is refused with %s options', (count) =>
    expect(() => parseQuestion(Buffer.from(`${'\0'.repeat(4)}${count}\0`))).toThrow(GitLimitError),
  );
});

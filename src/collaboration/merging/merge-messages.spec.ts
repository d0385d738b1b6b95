import type { Commit } from '#libs/git';
import { mergeCommitMessage, squashCommitMessage } from './merge-messages';

const told = {
  sourceBranch: 'topic',
  targetBranch: 'main',
  title: 'Add it',
  closes: [],
  reference: 'group/project!1',
};

const commit = (message: string, parents: readonly string[] = ['p']): Commit => {
  const person = { name: 'A', email: 'a@example.com', time: 0, offset: '+0000' };
  return { sha: 's', tree: 't', parents, author: person, committer: person, message, hasSignature: false };
};

describe('the message of a merge commit', () => {
  it('names the branches, the title and the merge request', () => {
    expect(mergeCommitMessage(told)).toBe(
      "Merge branch 'topic' into 'main'\n\nAdd it\n\nSee merge request group/project!1",
    );
  });

  it('lists the issues that it closes as a sentence', () => {
    const closing = (...closes: string[]) => mergeCommitMessage({ ...told, closes }).split('\n\n')[2];
    expect(closing('#1')).toBe('Closes #1');
    expect(closing('#1', '#2')).toBe('Closes #1 and #2');
    expect(closing('#1', 'a/b#2', '#3')).toBe('Closes #1, a/b#2, and #3');
  });
});

describe('the message of a squashed change', () => {
  it('is that of its oldest commit with more than a title', () => {
    const commits = [commit('newest\n\nmore'), commit('older\n\nbody\n'), commit('oldest\n')];
    expect(squashCommitMessage(commits, 'Title')).toBe('older\n\nbody\n');
  });

  it('is the title where no commit tells more, merges aside', () => {
    expect(squashCommitMessage([commit('merge\n\nmore', ['a', 'b']), commit('one')], 'Title')).toBe('Title');
    expect(squashCommitMessage([], 'Title')).toBe('Title');
  });
});

import { mentionedPeople } from './mentioned-people';
import { searchWords } from './search-words';
import { changedTasks, countTasks, tasksIn, taskStatus } from './task-list';
import { markedTitles } from './title-change';

describe('a changed title', () => {
  it.each([
    ['A bug', 'A big bug', 'A bug', 'A b{+ig b+}ug'],
    ['Old', 'New', '{-Old-}', '{+New+}'],
    ['Slow pages', 'Slow', 'Slow{- pages-}', 'Slow'],
    ['aa', 'aaa', 'aa', 'aa{+a+}'],
    ['👍 x', '👎 x', '{-👍-} x', '{+👎+} x'],
  ])('from %j to %j is marked', (before, after, old, now) => {
    expect(markedTitles(before, after)).toEqual({ before: old, after: now });
  });
});

describe('tasks', () => {
  it('are lines of lists with a box, outside of code', () => {
    const text = '- [ ] one\n* [x] two\n1. [X] three\n> - [ ] four\n[ ] no\n- [] no\n```\n- [ ] no\n```\n';
    expect(tasksIn(text)).toEqual([
      { text: 'one', isDone: false },
      { text: 'two', isDone: true },
      { text: 'three', isDone: true },
      { text: 'four', isDone: false },
    ]);
    expect(taskStatus(countTasks(text))).toBe('2 of 4 tasks completed');
    expect(taskStatus(countTasks('- [x] a'))).toBe('1 of 1 task completed');
    expect(tasksIn(null)).toEqual([]);
    expect(countTasks(null)).toEqual({ count: 0, completed_count: 0 });
  });

  it('change by being ticked, not by being written otherwise', () => {
    expect(changedTasks('- [ ] a\n- [ ] b', '- [x] a\n- [ ] c')).toEqual([{ text: 'a', isDone: true }]);
  });
});

describe('people called in a text', () => {
  it.each([
    ['@Ann, @bob-x. (@c.d) @ann', ['ann', 'bob-x', 'c.d']],
    ['mail@example.com a/@b `@code @', []],
    ['`@a` and\n```\n@b\n```\n@c', ['c']],
    [null, []],
  ])('of %j are %j', (text, people) => expect(mentionedPeople(text)).toEqual(people));
});

describe('words of a search', () => {
  it.each([
    ['login breaks', ['login', 'breaks']],
    ['"login breaks" on it', ['login breaks']],
    ['ab', []],
    ['"" "a', []],
  ])('of %j are %j', (search, words) => expect(searchWords(search)).toEqual(words));
});

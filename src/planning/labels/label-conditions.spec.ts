import { labelCondition, wantedLabels } from './label-conditions';

describe('labels that a list is filtered by', () => {
  it.each([
    [undefined, null],
    [[], null],
    [['None'], 'None'],
    [['ui', 'no+label'], 'None'],
    [['bug', 'ANY'], 'Any'],
    [
      ['bug', 'ui', 'bug'],
      ['bug', 'ui'],
    ],
  ])('of %j are %j', (names, wanted) => expect(wantedLabels(names)).toEqual(wanted));

  it('are joined one by one only where they are few', () => {
    const joins = (titles: readonly string[]): number => {
      const condition = labelCondition('Issue', 'issue.id', titles, () => '$1');
      return condition.split('JOIN labels').length - 1;
    };
    const titles = Array.from({ length: 100 }, (_, index) => `label ${index}`);
    expect([joins(titles.slice(0, 2)), joins(titles.slice(0, 4)), joins(titles)]).toEqual([2, 4, 5]);
  });
});

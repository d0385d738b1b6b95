import { scopeOf, withoutRivals } from './scoped-labels';

const label = (id: number, title: string) => ({ id, title });
const [low, high, ui, old] = [
  label(1, 'priority::low'),
  label(2, 'priority::high'),
  label(3, 'ui'),
  label(4, 'priority::old'),
];

describe('the scope of a label', () => {
  it.each([
    ['priority::high', 'priority'],
    ['a::b::c', 'a::b'],
    ['::c', ''],
    ['a::', 'a'],
    ['a:b', null],
    ['plain', null],
  ])('%j is %j', (title, scope) => expect(scopeOf(title)).toBe(scope));
});

describe('labels of one scope', () => {
  it.each([
    ['the last one stays', [low, ui, high], [], [ui, high]],
    ['a new one replaces what was there', [low, high], [low], [high]],
    ['the order decides, not the age', [high, low], [low], [low]],
    ['what was together stays so', [low, high, ui], [low, high], [low, high, ui]],
    ['until another comes', [low, old, high], [low, old], [high]],
    ['other labels are left alone', [ui], [], [ui]],
  ])('%s', (_, wanted, before, kept) => expect(withoutRivals(wanted, before)).toEqual(kept));
});

import { masked } from './masked';

describe('a masked log', () => {
  it.each([
    ['a secret b secret', ['secret'], 'a xxxxxx b xxxxxx'],
    ['aaaa', ['aa'], 'xxxx'],
    ['nothing', ['secret', ''], 'nothing'],
    ['one two', ['one', 'two'], 'xxx xxx'],
    ['ümlaut secret', ['secret'], 'ümlaut xxxxxx'],
  ])('%j without %j is %j', (text, secrets, result) => {
    const bytes = Buffer.from(text);
    expect(masked(bytes, secrets).toString()).toBe(result);
    expect(bytes.toString()).toBe(text);
  });
});

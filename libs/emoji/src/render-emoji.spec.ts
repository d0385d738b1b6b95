import { gemoji } from 'gemoji';
import { isEmojiName, renderEmoji } from '.';
import { unicodeVersionOf } from './unicode-version';

describe('names of emoji', () => {
  it.each(['thumbsup', '+1', 'speech_balloon', '8ball'])('knows %s', (name) => {
    expect(isEmojiName(name)).toBe(true);
  });

  it.each(['', 'no_such_emoji', 'Thumbsup', ':thumbsup:', '👍', 'constructor', '__proto__'])(
    'does not know %j',
    (name) => {
      expect(isEmojiName(name)).toBe(false);
    },
  );
});

describe('emoji in text', () => {
  it('makes elements of names, with title, name and Unicode version', () => {
    expect(renderEmoji('Ship it :rocket:!')).toBe(
      'Ship it <gl-emoji title="rocket" data-name="rocket" data-unicode-version="6.0">🚀</gl-emoji>!',
    );
  });

  it('calls an emoji by its main name', () => {
    expect(renderEmoji(':+1:')).toBe(renderEmoji(':thumbsup:'));
    expect(renderEmoji(':+1:')).toContain('data-name="thumbsup"');
  });

  it('finds emoji written as themselves, of several characters too', () => {
    expect(renderEmoji('🚀')).toBe(renderEmoji(':rocket:'));
    expect(renderEmoji('👨‍👩‍👧')).toBe(renderEmoji(':family_man_woman_girl:'));
    expect(renderEmoji('☺️')).toBe(renderEmoji(':relaxed:'));
  });

  it.each([
    '10:30:45',
    'a:smile:',
    ':smile:b',
    ':smile::smile:',
    ':no_such_emoji:',
    ': smile :',
    ':SMILE:',
    '::',
  ])('leaves %j alone', (text) => {
    expect(renderEmoji(text)).toBe(text);
  });

  it('escapes everything else', () => {
    expect(renderEmoji('<b onclick="x">&amp; :heart:</b>')).toBe(
      `&lt;b onclick="x"&gt;&amp;amp; ${renderEmoji(':heart:')}&lt;/b&gt;`,
    );
    expect(renderEmoji(':<script>:')).toBe(':&lt;script&gt;:');
  });

  it('escapes titles', () => {
    for (const { description, emoji } of gemoji) {
      expect(renderEmoji(emoji)).toMatch(
        /^<gl-emoji title="[^"<>]+" data-name="[a-z0-9_+-]+" data-unicode-version="\d+\.\d">[^<>]+<\/gl-emoji>$/u,
      );
      expect(description).not.toBe('');
    }
  });

  it('stays fast on hostile text', () => {
    const text = ':a'.repeat(50_000) + ':'.repeat(50_000);
    expect(renderEmoji(text)).toBe(text);
  });
});

describe('the Unicode version of an emoji', () => {
  it.each([
    ['😀', '6.1'],
    ['☀️', '1.1'],
    ['#️⃣', '3.0'],
    ['☔', '4.0'],
    ['🤦', '9.0'],
    ['🤦‍♀️', '9.0'],
    ['🇩🇪', '6.0'],
    ['🫠', '14.0'],
    ['🩵', '15.0'],
  ])('of %s is %s', (emoji, version) => {
    expect(unicodeVersionOf(emoji)).toBe(version);
  });
});

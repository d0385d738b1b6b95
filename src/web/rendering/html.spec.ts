import fs from 'node:fs';
import path from 'node:path';
import { Html, template } from './html';

const WEB = path.resolve(__dirname, '..');

describe('a template', () => {
  it('prints text escaped, in elements and in attributes', () => {
    const greet = template<{ name: string }>('<p title="<%= it.name %>"><%= it.name %></p>');
    expect(greet({ name: `"'><script>&` }).text).toBe(
      '<p title="&quot;&#39;&gt;&lt;script&gt;&amp;">&quot;&#39;&gt;&lt;script&gt;&amp;</p>',
    );
  });

  it('prints markup of other templates as it is', () => {
    expect(template<{ inner: Html }>('<b><%= it.inner %></b>')({ inner: new Html('<i>x</i>') }).text).toBe(
      '<b><i>x</i></b>',
    );
  });

  it('prints no undefined, null or objects', () => {
    const print = template<{ value: unknown }>('<%= it.value %>');
    for (const value of [undefined, null, {}, true])
      expect(() => print({ value })).toThrow('a template printed');
  });

  it('is nowhere allowed to print raw text', () => {
    const files = fs.readdirSync(WEB, { recursive: true, encoding: 'utf8' });
    const templates = files.filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'));
    const texts = templates.map((name) => fs.readFileSync(path.join(WEB, name), 'utf8'));
    expect(texts.length).toBeGreaterThan(10);
    expect(texts.filter((text) => /<%[-_]?\s*~/.test(text))).toEqual([]);
  });
});

import { exclusionOf, isExcludedFolder } from './excluded-paths';
import { languageOf } from './file-language';
import { languageData } from './language-data';
import { LinguistAttributes } from './linguist-attributes';
import { matchesPathPattern } from './path-pattern';

async function nameOf(file: string, content: string | null = ''): Promise<string | undefined> {
  return (await languageOf(file, await languageData(), () => Promise.resolve(content)))?.name;
}

describe('the language of a file', () => {
  it.each([
    ['Dockerfile', 'Dockerfile'],
    ['lib/Makefile', 'Makefile'],
    ['a/b.PY', 'Python'],
    ['main.go', 'Go'],
    ['x.test.rb', 'Ruby'],
    ['lib.rs', 'Rust'],
    ['x.sql', 'SQL'],
    ['notes.md', 'Markdown'],
    ['picture.nothing-known', undefined],
    ['.hidden', undefined],
    ['trailing.', undefined],
  ])('of %s is told by its name', async (file, language) => expect(await nameOf(file)).toBe(language));

  it.each([
    ['a.h', 'int add(int a, int b);', 'C'],
    ['a.h', '#include <vector>\nclass A {};', 'C++'],
    ['a.h', '@interface A : NSObject', 'Objective-C'],
    ['a.m', 'function y = f(x)', 'MATLAB'],
    ['a.m', '#import <Foundation/Foundation.h>', 'Objective-C'],
    ['a.ts', 'export const a = 1;', 'TypeScript'],
    ['a.ts', '<?xml version="1.0"?><!DOCTYPE TS><TS>', 'XML'],
    ['a.pl', 'use strict;', 'Perl'],
    ['a.pl', 'parent(a, b).\nold(X) :- parent(X, _).', 'Prolog'],
    ['a.cgi', '#!/usr/bin/env python3', 'Python'],
    ['run', '#!/bin/bash -e\necho', 'Shell'],
    ['run', '#!/usr/bin/env -S LANG=C ruby2.7 -w', 'Ruby'],
    ['run', 'no interpreter', undefined],
  ])('of %s with %j is told by its content', async (file, content, language) =>
    expect(await nameOf(file, content)).toBe(language),
  );

  it('of what is no text is not told by its content', async () => {
    expect([await nameOf('a.h', null), await nameOf('run', null)]).toEqual([undefined, undefined]);
  });

  it('is told soon, whatever the content is', async () => {
    for (const content of ['\n'.repeat(16_000), ' '.repeat(16_000), 'a.'.repeat(8_000), '#!'.repeat(8_000)]) {
      for (const extension of ['h', 'm', 'd', 'pl', 'pp', 'v', 'cs', 'es'])
        await nameOf(`a.${extension}`, content);
    }
  });
});

describe('files that do not count', () => {
  it.each([
    ['node_modules/a/index.js', 'vendored'],
    ['app/Vendor/x.rb', 'vendored'],
    ['js/jquery-3.6.0.min.js', 'vendored'],
    ['docs/conf.py', 'documentation'],
    ['README.md', 'documentation'],
    ['src/docs/conf.py', null],
    ['dist.ts', null],
    ['app.min.js', 'generated'],
    ['api/user.pb.go', 'generated'],
    ['package-lock.json', 'generated'],
    ['src/index.ts', null],
  ])('%s is %s', (file, kind) => expect(exclusionOf(file)).toBe(kind));

  it('are all files of some folders', () => {
    expect(['node_modules', 'a/vendor', 'docs'].map(isExcludedFolder)).toEqual([true, true, true]);
    expect(['src', 'a/docs', 'vendored'].map(isExcludedFolder)).toEqual([false, false, false]);
  });
});

describe('a pattern of .gitattributes', () => {
  it.each([
    ['*.rb', 'lib/a.rb', true],
    ['a?.rb', 'lib/ab.rb', true],
    ['/a.rb', 'lib/a.rb', false],
    ['lib/*.rb', 'lib/a.rb', true],
    ['lib/*.rb', 'lib/b/a.rb', false],
    ['lib/**', 'lib/b/a.rb', true],
    ['**/gen/*.rb', 'x/y/gen/a.rb', true],
    ['**/gen/*.rb', 'gen/a.rb', true],
    ['a/**/b', 'a/x/y/b', true],
    ['lib/**', 'other/a.rb', false],
    ['lib', 'lib/a.rb', false],
  ])('%s and %s: %s', (pattern, file, fits) => expect(matchesPathPattern(pattern, file)).toBe(fits));

  it('is held against a name soon, whatever both are', () => {
    expect(matchesPathPattern(`${'*a'.repeat(90)}b`, 'a'.repeat(4_000))).toBe(false);
  });
});

describe('the attributes of a repository', () => {
  it('say how files count, later rules before earlier ones', () => {
    const rules = LinguistAttributes.read(`
      # a remark linguist-vendored
      *.rb linguist-language=Java text
      gen/** linguist-generated
      gen/kept.rb -linguist-generated
      vendor/** linguist-vendored=false linguist-detectable
      *.txt text eol=lf`);
    expect(rules.of('a/b.rb')).toEqual({ language: 'Java' });
    expect(rules.of('gen/x.c')).toEqual({ generated: true });
    expect(rules.of('gen/kept.rb')).toEqual({ language: 'Java', generated: false });
    expect(rules.of('vendor/a/b.js')).toEqual({ vendored: false, detectable: true });
    expect(rules.of('a.txt')).toEqual({});
    expect(LinguistAttributes.read('*.txt text').isEmpty).toBe(true);
  });
});

/** What tells one language of an extension from the others: the first whose pattern is found in the file's beginning. */
interface Choice {
  readonly otherwise: string;
  readonly signs?: readonly (readonly [language: string, sign: RegExp])[];
}

const XML = /^\s*<(?:\?xml|TS\b|!DOCTYPE TS)/;
const OBJECTIVE_C =
  /^[ \t]*(?:@(?:interface|implementation|protocol|class|property|end|import)\b|#import\b)/m;
const PROLOG = /^[a-z_][\w', ()]{0,80}:-|^[ \t]*:-/m;
const RAKU = /^[ \t]*(?:use\s+v6\b|(?:my|our)?[ \t]*(?:class|module|role|grammar)\s+\w+.{0,40}\{)/m;

/** Extensions of several languages that are in use (the signs look at lines by `[ \t]`: `\s` would run over blank ones again and again). Those of none here are of the first language that counts. */
export const AMBIGUOUS: Readonly<Record<string, Choice>> = {
  '.h': {
    otherwise: 'C',
    signs: [
      ['Objective-C', OBJECTIVE_C],
      [
        'C++',
        /^[ \t]*#[ \t]*include[ \t]*<(?:cstdint|string|vector|map|memory|iostream|functional|algorithm|utility|unordered_map)>|^[ \t]*(?:template\s*<|namespace\b|class\s+\w+|using\s+\w|(?:public|private|protected)\s*:)|\bstd::|^[ \t]*constexpr\b/m,
      ],
    ],
  },
  '.m': {
    otherwise: 'Objective-C',
    signs: [
      ['Objective-C', OBJECTIVE_C],
      ['Mercury', /^:- module/m],
      ['Wolfram Language', /^\s*\(\*/],
      ['MATLAB', /^[ \t]*(?:%|function\b|classdef\b|(?:clc|clear|close all)\b)/m],
    ],
  },
  '.ts': { otherwise: 'TypeScript', signs: [['XML', XML]] },
  '.tsx': { otherwise: 'TSX', signs: [['XML', XML]] },
  '.mm': { otherwise: 'Objective-C++', signs: [['XML', XML]] },
  '.pl': {
    otherwise: 'Perl',
    signs: [
      ['Perl', /^[ \t]*(?:use\s+(?:strict|warnings|v?5)|package\s+\w|sub\s+\w)/m],
      ['Prolog', PROLOG],
      ['Raku', RAKU],
    ],
  },
  '.pm': { otherwise: 'Perl', signs: [['Raku', /^[ \t]*use\s+v6\b/m]] },
  '.t': { otherwise: 'Perl', signs: [['Raku', /^[ \t]*use\s+v6\b/m]] },
  '.pro': {
    otherwise: 'IDL',
    signs: [
      ['QMake', /^[ \t]*(?:HEADERS|SOURCES|TEMPLATE|QT|CONFIG)\s*[+*-]?=/m],
      ['Prolog', PROLOG],
    ],
  },
  '.r': { otherwise: 'R', signs: [['Rebol', /^[ \t]*rebol\s*\[/im]] },
  '.rs': { otherwise: 'Rust', signs: [['RenderScript', /^[ \t]*#(?:include|pragma\s+(?:rs|version))\b/m]] },
  '.cs': { otherwise: 'C#', signs: [['Smalltalk', /^[ \t]*!\s*\w[\w ]{0,80}methodsFor:/m]] },
  '.php': { otherwise: 'PHP', signs: [['Hack', /^\s*<\?hh\b/]] },
  '.hh': { otherwise: 'C++', signs: [['Hack', /^\s*<\?hh\b/]] },
  '.inc': {
    otherwise: 'C++',
    signs: [
      ['PHP', /^\s*<\?php/],
      ['HTML', /^\s*</],
      ['Pascal', /^[ \t]*\{\$|^[ \t]*(?:procedure|unit|uses)\b/im],
    ],
  },
  '.v': {
    otherwise: 'Verilog',
    signs: [
      ['Rocq Prover', /^[ \t]*(?:Require|Theorem|Lemma|Proof|Definition|Inductive|Fixpoint)\b/m],
      ['V', /^[ \t]*(?:pub\s+)?fn\s+\w|^[ \t]*module\s+\w+\s*$/m],
    ],
  },
  '.pp': {
    otherwise: 'Puppet',
    signs: [
      ['Pascal', /^[ \t]*(?:unit|program|uses|interface|implementation)\b[^{\n]*;[ \t]*$|^[ \t]*end\.\s*$/im],
    ],
  },
  '.fs': {
    otherwise: 'F#',
    signs: [
      ['GLSL', /^[ \t]*(?:#version|precision|uniform|varying|attribute)\b|\bvec[234]\b/m],
      ['Forth', /^: \S/m],
    ],
  },
  '.d': {
    otherwise: 'D',
    signs: [
      ['Makefile', /^[\w./-]+\.o\s*:/m],
      ['DTrace', /^#!.*dtrace|^\w*:\w*:\w*:\w*\s*$/m],
    ],
  },
  '.cls': {
    otherwise: 'Apex',
    signs: [
      ['TeX', /^[ \t]*\\\w+\{/m],
      ['VBA', /^[ \t]*Attribute\s+VB_/m],
    ],
  },
  '.l': {
    otherwise: 'Lex',
    signs: [
      ['Common Lisp', /\((?:def(?:un|macro|var)|in-package)\s/],
      ['Roff', /^\.[A-Za-z]{2}(?:\s|$)/m],
    ],
  },
  '.cl': {
    otherwise: 'OpenCL',
    signs: [
      ['Common Lisp', /^[ \t]*\((?:defun|in-package|defpackage)\s/im],
      ['Cool', /^[ \t]*class\s+\w+/m],
    ],
  },
  '.ml': {
    otherwise: 'OCaml',
    signs: [['Standard ML', /^[ \t]*(?:structure|functor|signature)\s+\w+|=> /m]],
  },
  '.es': { otherwise: 'JavaScript', signs: [['Erlang', /^[ \t]*(?:%%|main\s*\(.{0,80}\)\s*->)/m]] },
  '.sc': { otherwise: 'Scala', signs: [['SuperCollider', /\b(?:SynthDef|Synth|this\.\w+\s*\{)/]] },
  '.for': { otherwise: 'Fortran', signs: [['Forth', /^: \S/m]] },
  '.f': { otherwise: 'Fortran', signs: [['Forth', /^: \S/m]] },
  '.cgi': { otherwise: 'Perl' },
  '.fcgi': { otherwise: 'PHP' },
  '.yy': { otherwise: 'Yacc', signs: [['JSON', /^\s*\{/]] },
  '.gml': {
    otherwise: 'Game Maker Language',
    signs: [
      ['XML', XML],
      ['Graph Modeling Language', /^[ \t]*graph\s+\[/m],
    ],
  },
  '.res': { otherwise: 'ReScript', signs: [['XML', XML]] },
  '.gts': { otherwise: 'Glimmer TS' },
  '.sol': { otherwise: 'Solidity' },
  '.sql': { otherwise: 'SQL' },
  '.md': {
    otherwise: 'Markdown',
    signs: [['GCC Machine Description', /^\((?:define_insn|define_expand)\b/m]],
  },
  '.txt': { otherwise: 'Text' },
  '.html': { otherwise: 'HTML' },
  '.ex': { otherwise: 'Elixir' },
  '.asm': { otherwise: 'Assembly' },
  '.s': { otherwise: 'Unix Assembly' },
  '.al': { otherwise: 'AL' },
  '.as': { otherwise: 'ActionScript' },
  '.lisp': { otherwise: 'Common Lisp' },
  '.lsp': { otherwise: 'Common Lisp' },
  '.e': { otherwise: 'Eiffel' },
  '.frag': { otherwise: 'GLSL' },
  '.gs': { otherwise: 'JavaScript' },
  '.gd': { otherwise: 'GDScript' },
  '.j': { otherwise: 'Objective-J' },
  '.lean': { otherwise: 'Lean 4' },
  '.ls': { otherwise: 'LiveScript' },
  '.mo': { otherwise: 'Modelica' },
  '.nu': { otherwise: 'Nushell' },
  '.plt': { otherwise: 'Gnuplot' },
  '.re': { otherwise: 'Reason' },
  '.rpy': { otherwise: "Ren'Py" },
  '.scm': { otherwise: 'Scheme' },
  '.sls': { otherwise: 'Salt' },
  '.spec': { otherwise: 'RPM Spec' },
  '.st': { otherwise: 'Smalltalk' },
  '.tpl': { otherwise: 'Smarty' },
  '.vba': { otherwise: 'VBA' },
  '.cake': { otherwise: 'C#' },
  '.cairo': { otherwise: 'Cairo' },
  '.bas': { otherwise: 'Visual Basic 6.0' },
  '.asc': { otherwise: 'AsciiDoc' },
  '.workflow': { otherwise: 'HCL', signs: [['XML', XML]] },
};

/** The name of the language that the beginning of a file with that extension speaks for; null for unknown extensions. */
export function chosenLanguage(extension: string, beginning: string): string | null {
  const choice = AMBIGUOUS[extension];
  if (!choice) return null;
  return choice.signs?.find(([, sign]) => sign.test(beginning))?.[0] ?? choice.otherwise;
}

/** Whether the file has to be read for it. */
export const needsReading = (extension: string): boolean => (AMBIGUOUS[extension]?.signs ?? []).length > 0;

import { matchesPathPattern } from './path-pattern';

/** What a repository's `.gitattributes` says of how one file counts; absent where it says nothing. */
export interface Overrides {
  readonly vendored?: boolean;
  readonly generated?: boolean;
  readonly documentation?: boolean;
  readonly detectable?: boolean;
  readonly language?: string;
}

interface Rule {
  readonly pattern: string;
  readonly overrides: Overrides;
}

/** Further rules are passed over: each is held against every file. */
const MOST_RULES = 50;
const MOST_PATTERN = 200;

const FLAGS = ['vendored', 'generated', 'documentation', 'detectable'] as const;

/** The `linguist-*` attributes in the `.gitattributes` of the repository's root. */
export class LinguistAttributes {
  private constructor(private readonly rules: readonly Rule[]) {}

  static read(text: string): LinguistAttributes {
    const rules: Rule[] = [];
    for (const line of text.split('\n')) {
      if (rules.length === MOST_RULES) break;
      const rule = ruleOf(line.trim());
      if (rule) rules.push(rule);
    }
    return new LinguistAttributes(rules);
  }

  get isEmpty(): boolean {
    return this.rules.length === 0;
  }

  /** A later rule wins over an earlier one, attribute by attribute. */
  of(file: string): Overrides {
    return this.rules
      .filter(({ pattern }) => matchesPathPattern(pattern, file))
      .reduce<Overrides>((all, { overrides }) => ({ ...all, ...overrides }), {});
  }
}

function ruleOf(line: string): Rule | null {
  const [pattern = '', ...attributes] = line.split(/\s+/, 20);
  if (pattern === '' || pattern.startsWith('#') || pattern.length > MOST_PATTERN) return null;
  const overrides = attributes.reduce<Overrides>((all, each) => ({ ...all, ...overrideOf(each) }), {});
  return Object.keys(overrides).length === 0 ? null : { pattern, overrides };
}

function overrideOf(attribute: string): Overrides {
  const language = /^(?:linguist|gitlab)-language=(.+)$/.exec(attribute)?.[1];
  if (language !== undefined) return { language };
  const [, minus, name, value] = /^(-?)linguist-(\w+)(?:=(\w+))?$/.exec(attribute) ?? [];
  const flag = FLAGS.find((each) => each === name);
  return flag === undefined ? {} : { [flag]: minus === '' && value !== 'false' };
}

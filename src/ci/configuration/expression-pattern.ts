import { LRUCache } from 'lru-cache';
import { RE2JS, RE2JSException } from 're2js';
import { ConfigurationError } from './configuration-error';
import { requireTime } from './deadline';

const FLAGS: Readonly<Record<string, number>> = {
  i: RE2JS.CASE_INSENSITIVE,
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
};
const LONGEST = 1_000;
const LARGEST_PROGRAM = 2_000;
/** Text length times program size; nothing ends one search before its time. */
const MOST_STEPS = 4_000_000;
/** Of texts, whose patterns the jobs of a configuration have in common; compiling is the most of the work. */
const MOST_REMEMBERED = 200;

/** A pattern of a configuration, `/like this/i`, found in time that grows with the text alone. */
export class ExpressionPattern {
  private static readonly remembered = new LRUCache<string, { readonly pattern: ExpressionPattern | null }>({
    max: MOST_REMEMBERED,
  });

  private constructor(
    private readonly compiled: RE2JS,
    /** Between the slashes. */
    readonly source: string,
  ) {}

  /** Null for a text that is no pattern between slashes, or none that can be compiled. */
  static read(text: string): ExpressionPattern | null {
    const [, source, flags] = /^\/(.*)\/([imsU]*)$/s.exec(text) ?? [];
    if (source === undefined || flags === undefined || source.length > LONGEST) return null;
    requireTime();
    const known = ExpressionPattern.remembered.get(text);
    if (known) return known.pattern;
    const pattern = ExpressionPattern.compile(source, flags);
    ExpressionPattern.remembered.set(text, { pattern });
    return pattern;
  }

  private static compile(source: string, flags: string): ExpressionPattern | null {
    const bits = Object.entries(FLAGS).reduce(
      (all, [flag, bit]) => (flags.includes(flag) ? all | bit : all),
      0,
    );
    try {
      const compiled = RE2JS.compile(flags.includes('U') ? `(?U)${source}` : source, bits);
      return compiled.programSize() > LARGEST_PROGRAM ? null : new ExpressionPattern(compiled, source);
    } catch (error) {
      if (error instanceof RE2JSException) return null;
      throw error;
    }
  }

  /** Throws ConfigurationError for a text that would take too long. */
  isIn(text: string): boolean {
    requireTime();
    if (text.length * this.compiled.programSize() > MOST_STEPS)
      throw new ConfigurationError(`A text is too long to be compared with the pattern /${this.source}/`);
    return this.compiled.matcher(text).find();
  }
}

/** Written like a pattern, whether or not it can be compiled. */
export const looksLikePattern = (text: string): boolean => /^\/.*\/[imsU]*$/s.test(text);

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
/** Text length times program size; nothing else is done meanwhile. */
const MOST_STEPS = 4_000_000;

/** A pattern of a configuration, `/like this/i`, found in time that grows with the text alone. */
export class ExpressionPattern {
  private constructor(
    private readonly compiled: RE2JS,
    /** Between the slashes. */
    readonly source: string,
  ) {}

  /** Null for a text that is no pattern between slashes, or none that can be compiled. */
  static read(text: string): ExpressionPattern | null {
    const [, source, flags] = /^\/(.*)\/([ims]*)$/s.exec(text) ?? [];
    if (source === undefined || flags === undefined || source.length > LONGEST) return null;
    requireTime();
    const bits = Object.entries(FLAGS).reduce(
      (all, [flag, bit]) => (flags.includes(flag) ? all | bit : all),
      0,
    );
    try {
      const compiled = RE2JS.compile(source, bits);
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
export const looksLikePattern = (text: string): boolean => /^\/.*\/[ims]*$/s.test(text);

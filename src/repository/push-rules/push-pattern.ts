import { RE2JS, RE2JSSyntaxException } from 're2js';
import { UncheckablePush } from './uncheckable-push';

const LONGEST_PATTERN = 511;
/**
 * Matching takes time in proportion to the length of the text times the size of the compiled pattern, and nothing else
 * is done meanwhile: so much of it takes a tenth of a second at worst.
 */
const MOST_STEPS = 4_000_000;
/** Texts of 2,000 characters must stay within the steps. */
const LARGEST_PROGRAM = 2_000;

export type PatternMode = 'text' | 'lines';

/** A pattern that somebody gave, in the syntax of RE2: its matching takes linear time, whatever it is. */
export class PushPattern {
  private constructor(
    readonly source: string,
    private readonly compiled: RE2JS,
  ) {}

  /** What keeps the text from being a pattern, as a sentence about its attribute; null when nothing does. */
  static problemOf(source: string): string | null {
    if (source.length > LONGEST_PATTERN) return `is too long (maximum is ${LONGEST_PATTERN} characters)`;
    try {
      const size = RE2JS.compile(source).programSize();
      return size > LARGEST_PROGRAM ? 'is too complex' : null;
    } catch (error) {
      if (error instanceof RE2JSSyntaxException) return `not valid RE2 syntax: ${error.message}`;
      throw error;
    }
  }

  /** Null for the blank text, which asks for nothing. In the mode 'lines' `^` and `$` fit at each line's ends. */
  static of(source: string | null, mode: PatternMode = 'text'): PushPattern | null {
    if (source === null || source === '') return null;
    return new PushPattern(source, RE2JS.compile(source, mode === 'lines' ? RE2JS.MULTILINE : 0));
  }

  /** Somewhere in the text. Throws UncheckablePush for a text that is too long for this pattern. */
  fits(text: string): boolean {
    const longest = Math.floor(MOST_STEPS / this.compiled.programSize());
    if (text.length > longest)
      throw new UncheckablePush(
        `A text of ${text.length} characters is too long to be compared with the pattern '${this.source}': at most ${longest} are`,
      );
    return this.compiled.test(text);
  }
}

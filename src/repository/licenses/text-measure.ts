/** Lines that each user of a licence writes anew, or that are only its title. */
const OWN_LINES =
  /^[ \t]*(?:portions[ \t]+)?(?:copyright|\(c\)|©)(?![ \t]+(?:notice|holder|owner|license|law|statement)).*$/gim;
const REMARKS = /\ball rights reserved\b\.?|https?:\/\/\S+/gi;
const WORDS = /[a-z0-9]+/g;

/** What two texts have in common, by the pairs of words that follow each other: lines, punctuation and cases do not count. */
export class TextMeasure {
  private constructor(
    private readonly pairs: ReadonlyMap<string, number>,
    private readonly size: number,
  ) {}

  static of(text: string): TextMeasure {
    const plain = text
      .replace(OWN_LINES, '')
      .replace(REMARKS, '')
      .toLowerCase()
      .replaceAll('licence', 'license');
    const words = plain.match(WORDS) ?? [];
    const pairs = new Map<string, number>();
    for (const [index, word] of words.entries()) {
      const pair = `${word} ${words[index + 1] ?? ''}`;
      pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
    }
    return new TextMeasure(pairs, words.length);
  }

  /** From 0 for nothing in common to 1 for the same (Dice's coefficient). */
  likeness(other: TextMeasure): number {
    const all = this.size + other.size;
    if (all === 0) return 0;
    let common = 0;
    for (const [pair, times] of this.pairs) common += Math.min(times, other.pairs.get(pair) ?? 0);
    return (2 * common) / all;
  }

  /** What `likeness` can be at most, by the lengths alone. */
  mostLikeness(other: TextMeasure): number {
    const all = this.size + other.size;
    return all === 0 ? 0 : (2 * Math.min(this.size, other.size)) / all;
  }
}

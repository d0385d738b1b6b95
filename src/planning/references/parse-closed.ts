import { keyOf, MOST_REFERENCES, type NumberedReference, type ReferenceOptions } from './reference';
import { withoutCode } from './without-code';
import { writtenReferences, type WrittenReference } from './written-reference';

/** So many places of a text are looked at; a text of more closes what the first of them name. */
const MOST_PLACES = 10_000;

const VERB =
  /\b(?:[Cc]los(?:e[sd]?|ing)|[Ff]ix(?:e[sd]|ing)?|[Rr]esolv(?:e[sd]?|ing)|[Ii]mplement(?:s|ed|ing)?):? +/g;
const ISSUE_WORD = /issues? +/y;
const BETWEEN = /(?: *,)? */y;
const AND = /and +/y;

/**
 * The issues that a text closes, as the reference system understands commit messages and descriptions:
 * "Closes #1, #2 and group/project#3", "Fixed: issue #4", "Resolving https://…/issues/5".
 */
export function parseClosed(text: string, { base }: ReferenceOptions): NumberedReference[] {
  const plain = withoutCode(text);
  const places = placesIn(plain, base);
  const found = new Map<string, NumberedReference>();
  for (const match of plain.matchAll(VERB)) {
    for (const reference of listAt(plain, match.index + match[0].length, places)) {
      const key = keyOf(reference);
      if (!found.has(key)) found.set(key, reference);
      if (found.size >= MOST_REFERENCES) return [...found.values()];
    }
  }
  return [...found.values()];
}

type Places = ReadonlyMap<number, WrittenReference>;

/** By where they begin. */
function placesIn(text: string, base: string): Places {
  const places = new Map<number, WrittenReference>();
  for (const place of writtenReferences(text, base)) {
    places.set(place.start, place);
    if (places.size >= MOST_PLACES) break;
  }
  return places;
}

/** The issues of a list that begins there: "#1, issue #2 and #3". */
function* listAt(text: string, start: number, places: Places): Generator<NumberedReference> {
  let position = start;
  for (;;) {
    const place = places.get(after(ISSUE_WORD, text, position));
    if (place?.reference.kind !== 'issue') return;
    yield place.reference;
    const next = after(BETWEEN, text, place.end);
    // Words stand apart: "#1and" goes on with nothing.
    position = next > place.end ? after(AND, text, next) : next;
  }
}

/** Where the text goes on after what the pattern takes, which may be nothing. */
function after(pattern: RegExp, text: string, position: number): number {
  pattern.lastIndex = position;
  return pattern.test(text) ? pattern.lastIndex : position;
}

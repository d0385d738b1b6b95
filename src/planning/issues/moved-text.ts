import { writtenReferences } from '../references/written-reference';

/** No description is longer. */
const LONGEST_TEXT = 1_048_576;
const SIGN = { issue: '#', merge_request: '!', snippet: '$', epic: '&' } as const;

/**
 * The text as it means the same in another project: "#1" becomes "group/project#1". Code stays as it is, and so does a
 * text that would come to be longer than any may be.
 */
export function withPlaces(text: string, from: { readonly path: string; readonly base: string }): string {
  const pieces: string[] = [];
  let position = 0;
  let length = text.length;
  const isCode = codeFrom(text);
  for (const { reference, start, end } of writtenReferences(text, from.base)) {
    if (!('iid' in reference) || reference.path?.includes('/') || reference.kind === 'epic') continue;
    if (text.startsWith('http', start) || isCode(start)) continue;
    const namespace = from.path.slice(0, from.path.lastIndexOf('/'));
    const path = reference.path === null ? from.path : `${namespace}/${reference.path}`;
    const moved = `${path}${SIGN[reference.kind]}${reference.iid}`;
    length += moved.length - (end - start);
    if (length > LONGEST_TEXT) return text;
    pieces.push(text.slice(position, start), moved);
    position = end;
  }
  return [...pieces, text.slice(position)].join('');
}

/** Asked about one position after the other, from the beginning on: whether it is in code. */
function codeFrom(text: string): (position: number) => boolean {
  const spans = codeIn(text);
  let next = 0;
  return (position) => {
    while ((spans[next]?.end ?? Infinity) <= position) next += 1;
    return position >= (spans[next]?.start ?? Infinity);
  };
}

/** Fenced blocks and spans of code, roughly: what might be code is left alone. */
function codeIn(text: string): { start: number; end: number }[] {
  if (!text.includes('`') && !text.includes('~~~')) return [];
  const spans: { start: number; end: number }[] = [];
  const fence = /^ {0,3}(`{3,}|~{3,})/;
  let [position, open, start]: [number, string | null, number] = [0, null, 0];
  for (const line of text.split('\n')) {
    const mark = fence.exec(line)?.[1] ?? null;
    if (open === null && mark !== null) [open, start] = [mark, position];
    else if (open !== null && mark?.startsWith(open)) {
      spans.push({ start, end: position + line.length });
      open = null;
    } else if (open === null) for (const span of inlineCode(line, position)) spans.push(span);
    position += line.length + 1;
  }
  if (open !== null) spans.push({ start, end: text.length });
  return spans;
}

/** From a run of backticks to the next one of the same line. */
function inlineCode(line: string, offset: number): { start: number; end: number }[] {
  return [...line.matchAll(/(?<!`)(`+)(?!`)[^`]+\1(?!`)/g)].map(({ 0: span, index }) => ({
    start: offset + index,
    end: offset + index + span.length,
  }));
}

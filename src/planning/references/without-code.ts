const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** The text with its code (fenced blocks and `spans`) replaced by a space: what stands there names nothing. */
export function withoutCode(text: string): string {
  return text.includes('`') || text.includes('~~~') ? withoutSpans(withoutBlocks(text)) : text;
}

/** A block that is never closed reaches to the end. */
function withoutBlocks(text: string): string {
  const kept: string[] = [];
  let fence: string | null = null;
  for (const line of text.split('\n')) {
    const mark = FENCE.exec(line)?.[1];
    if (fence === null) {
      kept.push(mark === undefined ? line : ' ');
      fence = mark ?? null;
    } else if (mark !== undefined && mark.startsWith(fence)) {
      fence = null;
    }
  }
  return kept.join('\n');
}

/** A span ends at the next run of as many backticks as began it; without one the backticks are plain text. */
function withoutSpans(text: string): string {
  const runs = [...text.matchAll(/`+/g)].map(({ 0: run, index }) => ({ length: run.length, index }));
  const next = nextOfSameLength(runs);
  const pieces: string[] = [];
  let position = 0;
  let place = 0;
  while (place < runs.length) {
    const closing = next[place];
    const opened = runs[place];
    const closed = closing === undefined || closing === null ? undefined : runs[closing];
    if (!opened || !closed || closing === undefined || closing === null) {
      place += 1;
      continue;
    }
    pieces.push(text.slice(position, opened.index), ' ');
    position = closed.index + closed.length;
    place = closing + 1;
  }
  return [...pieces, text.slice(position)].join('');
}

/** For each run the place of the next one of its length, or null: looked up from the end, so that it is linear. */
function nextOfSameLength(runs: readonly { readonly length: number }[]): (number | null)[] {
  const seen = new Map<number, number>();
  const next = new Array<number | null>(runs.length).fill(null);
  for (const [fromEnd, run] of runs.toReversed().entries()) {
    const place = runs.length - 1 - fromEnd;
    next[place] = seen.get(run.length) ?? null;
    seen.set(run.length, place);
  }
  return next;
}

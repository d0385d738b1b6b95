import { RE2JS, RE2JSException } from 're2js';

/** Larger programs are slow, and nothing else is done meanwhile. */
const LARGEST_PROGRAM = 1_000;
const NUMBER = /\d+(?:\.\d+)?/;

/**
 * The figure that the last matching line of a log tells, in percent; null where none does, or the expression is none.
 * What the last group of the last match holds counts, else the match itself. Takes linear time whatever the expression.
 */
export function coverageIn(log: string, expression: string): number | null {
  const pattern = compiled(expression);
  if (!pattern) return null;
  for (const line of log.split('\n').toReversed()) {
    const figure = NUMBER.exec(lastMatch(pattern, line) ?? '')?.[0];
    if (figure !== undefined) return Number(figure);
  }
  return null;
}

function compiled(expression: string): RE2JS | null {
  try {
    const pattern = RE2JS.compile(expression);
    return pattern.programSize() > LARGEST_PROGRAM ? null : pattern;
  } catch (error) {
    // It was written by the project's people, and the configuration was accepted with it.
    if (error instanceof RE2JSException) return null;
    throw error;
  }
}

function lastMatch(pattern: RE2JS, line: string): string | null {
  const matcher = pattern.matcher(line);
  let last: string | null = null;
  while (matcher.find()) last = matcher.group(matcher.groupCount()) ?? null;
  return last;
}

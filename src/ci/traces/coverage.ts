import { RE2JS, RE2JSException } from 're2js';

/** Larger programs are slow, and nothing else is done meanwhile. */
const LARGEST_PROGRAM = 1_000;
/**
 * So many characters are looked at, times the size of the program. One search takes linear time, but the search after
 * each match begins anew, and may look at all the rest of the line for a longer one: together that is quadratic.
 */
const MOST_WORK = 30_000_000;
const NUMBER = /\d+(?:\.\d+)?/;

/**
 * The figure that the last matching line of a log tells, in percent; null where none does, or the expression is none.
 * What the last group of the last match holds counts, else the match itself. Null too where it would take too long, whoever wrote the expression.
 */
export function coverageIn(log: string, expression: string): number | null {
  const pattern = compiled(expression);
  if (!pattern) return null;
  const budget = { left: MOST_WORK / pattern.programSize() };
  for (const line of log.split('\n').toReversed()) {
    const found = lastMatch(pattern, line, budget);
    if (budget.left < 0) return null;
    const figure = NUMBER.exec(found ?? '')?.[0];
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

/** Meaningless once nothing is left of the budget. */
function lastMatch(pattern: RE2JS, line: string, budget: { left: number }): string | null {
  const matcher = pattern.matcher(line);
  let last: string | null = null;
  for (let rest = line.length; ; rest = line.length - matcher.end()) {
    budget.left -= rest;
    if (budget.left < 0 || !matcher.find()) return last;
    last = matcher.group(matcher.groupCount()) ?? null;
  }
}

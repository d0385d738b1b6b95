/** What a note can do besides being written. */
export type QuickAction = 'close' | 'reopen';

export interface ReadNote {
  /** Without the actions' lines. */
  readonly text: string;
  readonly actions: readonly QuickAction[];
}

const ACTION = /^\/(?<action>close|reopen)[ \t]*$/i;
const FENCE = /^ {0,3}(?:```|~~~)/;

/** Takes the lines "/close" and "/reopen" out of a text, but for those in blocks of code. */
export function readNote(body: string): ReadNote {
  if (!body.includes('/')) return { text: body, actions: [] };
  const kept: string[] = [];
  const actions: QuickAction[] = [];
  let isCode = false;
  for (const line of body.split('\n')) {
    if (FENCE.test(line)) isCode = !isCode;
    const action = isCode ? undefined : actionIn(line.trimEnd());
    if (action) actions.push(action);
    else kept.push(line);
  }
  return actions.length === 0 ? { text: body, actions } : { text: kept.join('\n').trim(), actions };
}

function actionIn(line: string): QuickAction | undefined {
  // Only short lines: a long one is text, whatever stands in it.
  const name = line.length > 20 ? undefined : ACTION.exec(line)?.groups?.['action']?.toLowerCase();
  return name === 'close' || name === 'reopen' ? name : undefined;
}

import { Eta } from 'eta';

/** Markup made by a template: the only text that goes into a page as it is. */
export class Html {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text;
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

/** What a template prints. A value that is no text is a mistake of the template, and would read badly. */
function printed(value: unknown): string {
  if (value instanceof Html) return value.text;
  if (typeof value === 'string') return escaped(value);
  if (typeof value === 'number') return String(value);
  throw new Error(`a template printed ${typeof value}`);
}

/** Templates are part of the program: nothing is read from files, nothing a user sends is ever a template. */
const eta = new Eta({
  autoEscape: true,
  escapeFunction: printed,
  autoTrim: [false, 'nl'],
  varName: 'it',
});

/** Markup with places for what differs from page to page. */
export type Template<Data extends object> = (data: Data) => Html;

/**
 * Compiles a template: `<%= it.name %>` prints text escaped and Html as it is, `<% … %>` runs a statement.
 * Throws at once for a template that cannot be compiled, and when it runs for one that prints anything else.
 */
export function template<Data extends object>(source: string): Template<Data> {
  const compiled = eta.compile(source);
  return (data) => new Html(eta.render(compiled, data));
}

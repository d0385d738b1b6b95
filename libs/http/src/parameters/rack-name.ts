import { badRequest } from '#libs/errors';

/** How deep a name may nest, as in Rack. */
export const NAME_DEPTH_LIMIT = 32;

/** In characters. Reading a name costs its length times its depth. */
export const NAME_LENGTH_LIMIT = 4096;

/**
 * What a parameter's name asks for, read once per name:
 * `key` (value), `key[]` (append), `key[][rest]` (element), `key[rest]` (inside), and names without a key.
 */
export type NameStep =
  | { readonly kind: 'value'; readonly key: string }
  | { readonly kind: 'append'; readonly key: string }
  | {
      readonly kind: 'element';
      readonly key: string;
      readonly inner: NameStep;
      /** The keys by which an element shows that it has this name already; null: it never counts as having it. */
      readonly path: readonly string[] | null;
    }
  | { readonly kind: 'inside'; readonly key: string; readonly inner: NameStep }
  | { readonly kind: 'nameless'; readonly isList: boolean };

const KEY = /^[[\]]*([^[\]]+)\]*/;
const ELEMENT_KEY = /^\[\]\[([^[\]]+)\]$/;
const ELEMENT_REST = /^\[\](.+)$/;

/**
 * Reads a decoded name by the rules of Rack 2.2.
 * @throws DomainError bad_request when it is too long or nests too deep.
 */
export function readName(name: string, depth = NAME_DEPTH_LIMIT): NameStep {
  if (name.length > NAME_LENGTH_LIMIT) throw badRequest('400 Bad request - parameter name too long');
  if (depth <= 0) throw badRequest('400 Bad request - parameters nested too deep');
  const [matched = '', key] = KEY.exec(name) ?? [];
  if (key === undefined) return { kind: 'nameless', isList: name === '[]' };
  const rest = name.slice(matched.length);
  if (rest === '') return { kind: 'value', key };
  if (rest === '[') return { kind: 'value', key: name };
  if (rest === '[]') return { kind: 'append', key };
  const inElement = (ELEMENT_KEY.exec(rest) ?? ELEMENT_REST.exec(rest))?.[1];
  if (inElement === undefined) return { kind: 'inside', key, inner: readName(rest, depth - 1) };
  const path = inElement.includes('[]') ? null : inElement.split(/[[\]]+/).filter((part) => part !== '');
  return { kind: 'element', key, inner: readName(inElement, depth - 1), path };
}

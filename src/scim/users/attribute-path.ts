import { DomainError } from '#libs/errors';
import { parse, type Filter } from 'scim2-parse-filter';

const CORE = 'urn:ietf:params:scim:schemas:core:2.0:user';
/** Of a filter or path: the parser goes as deep as there are brackets, and looks at the rest again after every word. */
const MAX_LENGTH = 1_000;
/** `attribute`, `attribute[filter]`, either with `.subAttribute`, all of it behind a schema's URN. */
const PATH = /^(?:(urn:[\w:.-]{1,200}):)?([a-z$][\w$-]*)(?:\[([^[\]]*)\])?(?:\.([a-z$][\w$-]*))?$/i;

/** What a path of a PATCH points at; names are in lower case. */
export interface AttributePath {
  readonly attribute: string;
  /** Which of several values. */
  readonly filter: Filter | null;
  readonly sub: string | null;
}

/** Throws for what is no filter (RFC 7644, 3.4.2.2), and for what is longer or stranger than any provider's. */
export function parseExpression(text: string): Filter {
  // A line break in an open quotation would keep the parser's regular expression busy for ever.
  if (text.length > MAX_LENGTH || /\p{Cc}/u.test(text)) throw new RangeError('not a filter for this service');
  return parse(text);
}

/** A name without the URN of the core schema, in lower case. */
export function attributeName(name: string): string {
  const lower = name.toLowerCase();
  return lower.startsWith(`${CORE}:`) ? lower.slice(CORE.length + 1) : lower;
}

/** The core schema itself, which some providers put in the place of an attribute. */
export const isCoreSchema = (name: string): boolean => name.toLowerCase() === CORE;

/** Null for an attribute of another schema. Throws `scim` for what is no path. */
export function readPath(text: string): AttributePath | null {
  const [, urn, attribute, condition, sub] = (text.length <= MAX_LENGTH && PATH.exec(text)) || [];
  if (attribute === undefined) throw invalidPath(text);
  if (urn !== undefined && urn.toLowerCase() !== CORE) return null;
  return {
    attribute: attribute.toLowerCase(),
    filter: condition === undefined ? null : readCondition(condition, text),
    sub: sub?.toLowerCase() ?? null,
  };
}

function readCondition(condition: string, path: string): Filter {
  try {
    return parseExpression(condition);
  } catch {
    throw invalidPath(path);
  }
}

const invalidPath = (path: string): DomainError =>
  new DomainError({ kind: 'scim', scimType: 'invalidPath', detail: `Invalid path: ${path.slice(0, 100)}` });

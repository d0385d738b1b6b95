import { DomainError } from '#libs/errors';
import { filter as matcher } from 'scim2-parse-filter';
import { isCoreSchema, readPath, type AttributePath } from './attribute-path';

/** One operation of a PATCH, as it came. */
export interface PatchOperation {
  readonly op: string;
  readonly path?: string | undefined;
  readonly value?: unknown;
}

/** What the operations of one request come to; of two that say different things, the later one counts. */
export interface PatchPlan {
  externUid?: string;
  userName?: string;
  name?: string;
  givenName?: string;
  familyName?: string;
  email?: string;
  active?: boolean;
}

type Place = keyof PatchPlan;

const PLACES: Readonly<Record<string, Place>> = {
  id: 'externUid',
  externalid: 'externUid',
  username: 'userName',
  active: 'active',
  displayname: 'name',
  'name.formatted': 'name',
  'name.givenname': 'givenName',
  'name.familyname': 'familyName',
};

const MAX_TEXT = 255;
/** Objects in objects: a schema, `name` in it, and its parts. */
const MAX_DEPTH = 3;

/** The only e-mail that users have here, as a condition in a path sees it. */
const WORK = { type: 'work', primary: true };

/**
 * Reads operations in every shape that identity providers send. Operations other than add and replace, and attributes
 * that users do not have here, are passed over. Throws `scim` for a malformed path or value.
 */
export function planOf(operations: readonly PatchOperation[]): PatchPlan {
  const plan: PatchPlan = {};
  for (const { op, path, value } of operations) {
    if (!/^(?:add|replace)$/i.test(op)) continue;
    if (path !== undefined && path !== '') put(plan, readPath(path), value, 1);
    else if (isObject(value)) putAll(plan, value, 1);
    else throw invalidValue('An operation without a path needs an object as its value');
  }
  return plan;
}

function putAll(plan: PatchPlan, values: Readonly<Record<string, unknown>>, depth: number): void {
  for (const [key, value] of Object.entries(values)) {
    if (isCoreSchema(key)) {
      if (isObject(value) && depth < MAX_DEPTH) putAll(plan, value, depth + 1);
    } else put(plan, pathOfKey(key), value, depth);
  }
}

/** Keys that are no paths are attributes that nobody knows. */
function pathOfKey(key: string): AttributePath | null {
  try {
    return readPath(key);
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

function put(plan: PatchPlan, path: AttributePath | null, value: unknown, depth: number): void {
  if (!path) return;
  const { attribute, filter, sub } = path;
  if (attribute === 'emails') {
    if (!filter || matcher(filter)(WORK)) putEmail(plan, sub, value);
    return;
  }
  if (attribute === 'name' && sub === null) {
    if (!isObject(value)) throw invalidValue('name must be an object');
    for (const [part, text] of Object.entries(value))
      if (depth < MAX_DEPTH) put(plan, pathOfKey(`name.${part}`), text, depth + 1);
    return;
  }
  const name = sub === null ? attribute : `${attribute}.${sub}`;
  const place = Object.hasOwn(PLACES, name) ? PLACES[name] : undefined;
  if (place === 'active') plan.active = readActive(value);
  else if (place === 'givenName' || place === 'familyName') plan[place] = readText(name, value, true);
  else if (place && place !== 'email') plan[place] = readText(name, value);
}

/** One address, an object with it, or several of them. */
function putEmail(plan: PatchPlan, sub: string | null, value: unknown): void {
  if (sub === 'value') plan.email = readText('emails', value);
  else if (sub === null) {
    const email = Array.isArray(value) ? workEmail(value.filter(isObject)) : value;
    const address = isObject(email) ? email['value'] : email;
    if (address !== undefined) plan.email = readText('emails', address);
  }
}

interface SentEmail {
  readonly [attribute: string]: unknown;
}

/** The one for work, else the primary one, else the first. */
export function workEmail<T extends SentEmail>(emails: readonly T[]): T | undefined {
  const isWork = ({ type }: SentEmail): boolean => typeof type === 'string' && type.toLowerCase() === 'work';
  return emails.find(isWork) ?? emails.find(({ primary }) => primary === true) ?? emails[0];
}

function readActive(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  // Microsoft Entra sends "False", and some send what PATCH of a list would.
  const text = Array.isArray(value) && isObject(value[0]) ? value[0]['value'] : value;
  if (text === true || (typeof text === 'string' && /^true$/i.test(text))) return true;
  if (text === false || (typeof text === 'string' && /^false$/i.test(text))) return false;
  throw invalidValue('active must be true or false');
}

function readText(name: string, value: unknown, mayBeBlank = false): string {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || text.length > MAX_TEXT) throw invalidValue(`${name} is invalid`);
  if (!mayBeBlank && text.trim() === '') throw invalidValue(`${name} can't be blank`);
  return text;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const invalidValue = (detail: string): DomainError =>
  new DomainError({ kind: 'scim', scimType: 'invalidValue', detail });

import { createHash } from 'node:crypto';

const LONGEST = 24;
const KEPT = 17;
const SUFFIX = 6;
const BASE = 36;

/**
 * A name of an environment as a part of a host name: at most 24 characters, a letter first. Whatever had to be changed or
 * cut gets a mark of the whole name, so that two environments never share one (predefined variables,
 * CI_ENVIRONMENT_SLUG).
 */
export function environmentSlug(name: string): string {
  const slug = letterFirst(name.toLowerCase().replaceAll(/[^a-z0-9]/g, '-')).replaceAll(/-+/g, '-');
  if (slug === name && slug.length <= LONGEST) return slug;
  return `${slug.slice(0, KEPT).replace(/-$/, '')}-${markOf(name)}`;
}

const letterFirst = (slug: string): string => (/^[a-z]/.test(slug) ? slug : `env-${slug}`);

const markOf = (name: string): string =>
  BigInt(`0x${createHash('sha256').update(name).digest('hex')}`)
    .toString(BASE)
    .slice(-SUFFIX);

import { invalidParameter } from '#libs/errors';
import { DEFAULT_PER_PAGE, MAX_PER_PAGE, type PageRequest } from '#libs/paging';
import { lastOf, type ParameterBag } from './values';

function whole(bag: ParameterBag, name: string, fallback: number): number {
  const value = lastOf(bag[name]);
  if (value === undefined || value === null || value === '') return fallback;
  const number = typeof value === 'string' && /^[+-]?\d{1,9}$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number)) throw invalidParameter(`${name} is invalid`);
  return number >= 1 ? number : fallback;
}

/** `page` and `per_page` with the specification's defaults; a larger per_page counts as 100, one below 1 as not given. */
export function parsePage(bag: ParameterBag): PageRequest {
  return {
    page: whole(bag, 'page', 1),
    perPage: Math.min(whole(bag, 'per_page', DEFAULT_PER_PAGE), MAX_PER_PAGE),
  };
}

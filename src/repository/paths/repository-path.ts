/** A path as people write it, without the slashes around it. Linear, whatever is sent. */
export function withoutSurroundingSlashes(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === '/') end -= 1;
  return withoutLeadingSlashes(path.slice(0, end));
}

/** The reference strips leading slashes of the paths of files. */
export function withoutLeadingSlashes(path: string): string {
  let start = 0;
  while (path[start] === '/') start += 1;
  return path.slice(start);
}

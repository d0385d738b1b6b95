/** How texts of one project call another one: not at all, by its name within one namespace, else by its full path. */
export function projectName(path: string, fromPath: string): string {
  if (path.toLowerCase() === fromPath.toLowerCase()) return '';
  const [namespace, name] = [path.slice(0, path.lastIndexOf('/')), path.slice(path.lastIndexOf('/') + 1)];
  return fromPath.toLowerCase().startsWith(`${namespace.toLowerCase()}/`) &&
    !fromPath.slice(namespace.length + 1).includes('/')
    ? name
    : path;
}

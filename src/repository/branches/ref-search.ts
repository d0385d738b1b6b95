/** Whether a branch or tag fits a search text: contains it, or begins (`^text`) or ends (`text$`) with it, in any case. */
export function refMatcher(search: string | undefined): (name: string) => boolean {
  if (!search) return () => true;
  const text = search.toLowerCase();
  if (text.startsWith('^')) return (name) => name.toLowerCase().startsWith(text.slice(1));
  if (text.endsWith('$')) return (name) => name.toLowerCase().endsWith(text.slice(0, -1));
  return (name) => name.toLowerCase().includes(text);
}

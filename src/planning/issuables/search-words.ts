/** Shorter words alone are no help to the index. */
const SHORTEST = 3;
/** Further words of a search are passed over. */
const MOST = 30;
const WORD = /"([^"]*)"(?=\W|$)|\S+/g;

/** The words, and the phrases in quotes, that must all be in a text; without the short ones if there are others. */
export function searchWords(search: string): string[] {
  const words: string[] = [];
  for (const [plain, phrase] of search.matchAll(WORD)) {
    const word = (phrase ?? plain).trim();
    if (Array.from(word).length >= SHORTEST) words.push(word);
    if (words.length >= MOST) break;
  }
  return words;
}

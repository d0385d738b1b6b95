import type { NumberedKind, Reference } from './reference';

/** The longest path that is looked for before a sign, and the longest link. */
const LONGEST_PATH = 1024;
const LONGEST_LINK = 2048;
/** The greatest number there may be: that of the column. */
const GREATEST = 2_147_483_647;

const SIGNS: Readonly<Record<string, NumberedKind>> = {
  '#': 'issue',
  '!': 'merge_request',
  '&': 'epic',
  $: 'snippet',
};

const IN_PATH = /[\w./-]/;
const PATH = /^[a-zA-Z0-9_.][\w.-]*(?:\/[a-zA-Z0-9_.][\w.-]*)*$/;
const IN_WORD = /\w/;

/** A sign with a number, or a link, or a sha: where one may begin. Each of its parts has a fixed or bounded length. */
const CANDIDATE =
  /(?<sign>[#!&$])(?<number>[0-9]{1,10})|(?<scheme>https?:\/\/)|(?<![\w.-])(?<sha>[0-9a-f]{7,40})(?![\w-])/g;

const LINKED =
  /^\/?(?<groups>groups\/)?(?<path>[\w./-]+?)\/(?:-\/)?(?<page>issues|merge_requests|snippets|epics|commit)\/(?<id>[0-9a-f]+)(?![\w-])/;
const PAGES: Readonly<Record<string, NumberedKind>> = {
  issues: 'issue',
  merge_requests: 'merge_request',
  snippets: 'snippet',
  epics: 'epic',
};

/** One place of a text that names something. */
export interface WrittenReference {
  readonly reference: Reference;
  /** Where it begins and ends in the text. */
  readonly start: number;
  readonly end: number;
}

/** All places that name something, in their order; in one pass over the text. */
export function* writtenReferences(text: string, base: string): Generator<WrittenReference> {
  let end = 0;
  for (const match of text.matchAll(CANDIDATE)) {
    if (match.index < end) continue;
    const found =
      match.groups?.['scheme'] === undefined ? shortOne(text, match, end) : linked(text, match, base);
    if (!found) continue;
    end = found.end;
    if (found.reference) yield { ...found, reference: found.reference };
  }
}

interface Candidate {
  readonly index: number;
  readonly 0: string;
  readonly groups?: Readonly<Record<string, string | undefined>> | undefined;
}

type Found = Omit<WrittenReference, 'reference'> & { readonly reference: Reference | null };

/** "#1", "project!2", "group/project#3", "&4", a sha, "group/project@sha". */
function shortOne(text: string, { index, 0: whole, groups }: Candidate, from: number): Found | null {
  const end = index + whole.length;
  const sha = groups?.['sha'];
  const kind = SIGNS[groups?.['sign'] ?? ''];
  const number = numberIn(groups?.['number']);
  // "#1st" names nothing, nor does the entity "&#49;".
  if (IN_WORD.test(text.charAt(end)) || (kind === 'issue' && text.charAt(index - 1) === '&')) return null;
  if (sha !== undefined && text.charAt(index - 1) !== '@')
    return { reference: commit(null, sha), start: index, end };
  const path = pathBefore(text, sha === undefined ? index : index - 1, from);
  if (path === null) return null;
  const start = index - path.length - (sha === undefined ? 0 : 1);
  const at = path === '' ? null : path;
  if (sha !== undefined) return at === null ? null : { reference: commit(at, sha), start, end };
  return kind === undefined || number === null
    ? null
    : { reference: { kind, path: at, iid: number }, start, end };
}

/** "https://service.example/group/project/issues/1#note_2"; other links are passed over as a whole. */
function linked(text: string, { index }: Candidate, base: string): Found {
  const [address = ''] = /^[^\s<>()[\]"'`]*/.exec(text.slice(index, index + LONGEST_LINK)) ?? [];
  const found = { start: index, end: index + address.length };
  const isOurs = address.startsWith(`${base}/`);
  return { ...found, reference: isOurs ? referenceOfPage(address.slice(base.length + 1)) : null };
}

function referenceOfPage(page: string): Reference | null {
  const { groups, path, page: kindOfPage = '', id = '' } = LINKED.exec(page)?.groups ?? {};
  if (path === undefined || !PATH.test(path)) return null;
  const kind = PAGES[kindOfPage];
  if (kind === undefined)
    return groups === undefined && /^[0-9a-f]{7,40}$/.test(id) ? commit(path, id) : null;
  const number = /^\d+$/.test(id) ? numberIn(id) : null;
  const isGroups = groups !== undefined;
  return number === null || isGroups !== (kind === 'epic') ? null : { kind, path, iid: number };
}

/** The path right before a sign; '' where there is none, null where something else stands there. */
function pathBefore(text: string, position: number, from: number): string | null {
  let start = position;
  const earliest = Math.max(from, position - LONGEST_PATH);
  while (start > earliest && IN_PATH.test(text.charAt(start - 1))) start -= 1;
  const path = text.slice(start, position);
  return path === '' || PATH.test(path) ? path : null;
}

const commit = (path: string | null, sha: string): Reference => ({ kind: 'commit', path, sha });

function numberIn(digits: string | undefined): number | null {
  const number = Number(digits ?? 0);
  return number >= 1 && number <= GREATEST ? number : null;
}

import { chosenLanguage, needsReading } from './ambiguous-extensions';
import type { Language, LanguageData } from './language-data';

/** Reads the first characters of the file; null for what is no text. */
export type ReadBeginning = () => Promise<string | null>;

/**
 * The language of a file: by its name, its extension, and where those leave it open by its beginning, an interpreter
 * named there first of all.
 */
export async function languageOf(
  file: string,
  data: LanguageData,
  read: ReadBeginning,
): Promise<Language | null> {
  const name = file.slice(file.lastIndexOf('/') + 1);
  const named = data.byFileName.get(name);
  if (named) return preferred(named);
  const extension = extensionsOf(name).find((each) => data.byExtension.has(each));
  if (extension === undefined) return name.includes('.') ? null : byInterpreter(await read(), data);
  const candidates = data.byExtension.get(extension) ?? [];
  if (candidates.length === 1) return candidates[0] ?? null;
  const isRead = needsReading(extension) || extension.endsWith('cgi');
  const beginning = isRead ? await read() : '';
  if (beginning === null) return null;
  const chosen = chosenLanguage(extension, beginning);
  const found = byInterpreter(beginning, data, candidates) ?? candidates.find((each) => each.name === chosen);
  return found ?? preferred(candidates);
}

/** Longer ones first: of `a.h.in` these are `.h.in` and `.in`. */
function extensionsOf(name: string): string[] {
  const parts = name.toLowerCase().split('.').slice(1, 10);
  return parts.map((_, index) => `.${parts.slice(index).join('.')}`);
}

const preferred = (candidates: readonly Language[]): Language | null =>
  candidates.find(({ isCounted }) => isCounted) ?? candidates[0] ?? null;

const MOST_WORDS = 4;
const LONGEST_LINE = 200;

/** `#!/usr/bin/env -S python3.11 -u` names python. */
function byInterpreter(
  beginning: string | null,
  data: LanguageData,
  among: readonly Language[] | null = null,
): Language | null {
  if (beginning === null || !beginning.startsWith('#!')) return null;
  const [line = ''] = beginning.slice(0, LONGEST_LINE).split('\n', 1);
  const words = line.slice('#!'.length).trim().split(/\s+/, MOST_WORDS);
  const programs = words.filter((word) => !word.startsWith('-') && !word.includes('='));
  const [first = '', second = ''] = programs.map((word) => word.slice(word.lastIndexOf('/') + 1));
  const program = first === 'env' ? second : first;
  const known = data.byInterpreter.get(program) ?? data.byInterpreter.get(program.replace(/[\d.]+$/, ''));
  return known?.find((language) => among === null || among.includes(language)) ?? null;
}

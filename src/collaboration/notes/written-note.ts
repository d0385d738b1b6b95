import type { AwardedEmoji } from '../award-emoji/awarded-emoji';
import type { ShownNote } from './shown-note';

/** What came of a text: a note, or where it was an emoji alone, an award (specification, Notes). */
export type WrittenNote = ShownNote | AwardedEmoji;

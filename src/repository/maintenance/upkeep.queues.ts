import { defineQueue, type NewJob } from '#libs/jobs';

const TWO_HOURS = 2 * 60 * 60;

/** A repository is packed after so many writes: each may have left loose objects or a pack of its own. */
const WRITES_BETWEEN = 200;

/** Packs one repository; not queued while one for the same project waits. */
export const maintenance = defineQueue<{ readonly projectId: number }>('repository.maintain', {
  expireInSeconds: TWO_HOURS,
  onePerKey: true,
});

const FIVE_MINUTES = 5 * 60;

/** Counts what a project's record tells of its repository; many writes in a row are counted once. */
export const figures = defineQueue<{ readonly projectId: number }>('repository.figures', {
  expireInSeconds: FIVE_MINUTES,
  onePerKey: true,
});

const TEN_MINUTES = 10 * 60;

/** Looks through a project's files for their languages, once its figures are counted. */
export const languageDetections = defineQueue<{ readonly projectId: number }>('repository.languages', {
  expireInSeconds: TEN_MINUTES,
  onePerKey: true,
});

/** How long to gather further writes before looking at all files. */
const FINDINGS_DELAY_MS = 3_000;

/** What is to be found out in the background once a project's figures are counted anew. */
export const findingsAfter = (projectId: number): NewJob<object> => ({
  queue: languageDetections,
  data: { projectId },
  key: String(projectId),
  startAfter: new Date(Date.now() + FINDINGS_DELAY_MS),
});

/** How long to gather further writes before counting. */
export const FIGURES_DELAY_MS = 2_000;

/** What is to be done in the background after a write to a repository, the `writes`-th since it was packed. */
export function upkeepAfter(
  projectId: number,
  writes: number,
): { counting: NewJob<object>; packing: NewJob<object>[] } {
  const job = { data: { projectId }, key: String(projectId) };
  const counting = { ...job, queue: figures, startAfter: new Date(Date.now() + FIGURES_DELAY_MS) };
  const isPackingDue = writes > 0 && writes % WRITES_BETWEEN === 0;
  return { counting, packing: isPackingDue ? [{ ...job, queue: maintenance }] : [] };
}

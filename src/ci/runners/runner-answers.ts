import { RawAnswer } from '#libs/http';
import type { CiStatus } from '../pipelines/status';

const JSON_TYPE = { 'Content-Type': 'application/json' } as const;

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

/** The specification renames such headers; runners know the reference's name alone. */
const lastUpdateHeaders = (value: string) => ({
  'X-GitLab-Last-Update': value,
  'X-Service-Last-Update': value,
});

/** There is no job; a request that brings the value along waits for one. */
export const noJob = (lastUpdate: string): RawAnswer =>
  new RawAnswer(null, lastUpdateHeaders(lastUpdate), 204);

/** Taken. The status tells the runner whether to go on. */
export const jobStatus = (status: 200 | 202, job: CiStatus, range?: string): RawAnswer =>
  new RawAnswer(
    json(null),
    { ...JSON_TYPE, 'Job-Status': job, ...(range !== undefined && { Range: range }) },
    status,
  );

/** The runner has to stop. */
export const notRunning = (job: CiStatus): RawAnswer =>
  new RawAnswer(
    json({ message: '403 Forbidden - Job is not running' }),
    { ...JSON_TYPE, 'Job-Status': job },
    403,
  );

/** The runner has to send what comes after so many bytes. */
export const noSuchRange = (size: number): RawAnswer =>
  new RawAnswer(json({ error: '416 Range Not Satisfiable' }), { ...JSON_TYPE, Range: `0-${size}` }, 416);

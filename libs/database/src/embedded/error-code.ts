/** Whether an error of the system has one of these codes ("ENOENT"). Not by class: tests run in a realm of their own. */
export const hasCode = (error: unknown, ...codes: string[]): boolean =>
  typeof error === 'object' &&
  error !== null &&
  'code' in error &&
  typeof error.code === 'string' &&
  codes.includes(error.code);

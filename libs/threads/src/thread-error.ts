/**
 * Why there is no answer: it took too long or too much memory, too many wait already, the threads have ended, or the
 * program is broken.
 */
export type ThreadProblem = 'time' | 'memory' | 'busy' | 'closed' | 'broken';

/** An order that a thread could not do. */
export class ThreadError extends Error {
  constructor(
    readonly problem: ThreadProblem,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'ThreadError';
  }
}

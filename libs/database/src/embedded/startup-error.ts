/** The embedded server cannot run here; the message is for the person who starts the service. */
export class StartupError extends Error {
  constructor(problem: string, options?: ErrorOptions) {
    super(`${problem} Set DATABASE_URL to use a PostgreSQL server of your own instead.`, options);
    this.name = 'StartupError';
  }
}

/** Of a message, in characters: it may repeat what somebody wrote. */
const LONGEST_MESSAGE = 2_000;

/** Something is wrong with a configuration file. The message is the reference's sentence, for the people who wrote it. */
export class ConfigurationError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message.slice(0, LONGEST_MESSAGE), options);
  }
}

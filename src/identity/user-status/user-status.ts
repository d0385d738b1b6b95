/** What users say they are doing. */
export interface UserStatus {
  /** Name of an emoji: `speech_balloon`. */
  readonly emoji: string;
  /** Plain text; emoji in it may be written as `:name:`. */
  readonly message: string | null;
}

/** A status that may be none: nobody has to say what they are doing. */
export interface ShownStatus {
  readonly status: UserStatus | null;
}

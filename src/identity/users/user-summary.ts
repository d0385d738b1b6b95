/** What records show of the people in them. */
export type UserSummary = {
  readonly id: number;
  readonly username: string;
  readonly name: string;
  readonly state: string;
  /** Name of the picture's file. */
  readonly avatar: string | null;
};

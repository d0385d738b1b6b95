/** What records show of the people in them. */
export type UserSummary = {
  readonly id: number;
  readonly username: string;
  readonly name: string;
  readonly state: string;
  /** Name of the picture's file. */
  readonly avatar: string | null;
};

/** What notes show of their authors besides (specification, Note). */
export type UserContact = UserSummary & {
  readonly email: string;
  readonly createdAt: Date;
};

/** How much of a project is written in a language. */
export interface LanguageShare {
  readonly name: string;
  readonly bytes: number;
}

/** What a project is written in, the most used language first. */
export interface ProjectLanguages {
  readonly shares: readonly LanguageShare[];
}

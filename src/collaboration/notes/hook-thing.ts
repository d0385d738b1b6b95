/** What a note is on, as hooks are told of it. */
export interface HookThing {
  /** What the payload calls it. */
  readonly name: 'issue' | 'merge_request' | 'snippet' | 'commit';
  /** Its page below that of the project. */
  readonly page: string;
  readonly isConfidential: boolean;
  /** Of a commit alone. */
  readonly sha?: string;
  attributes(): Promise<object | null>;
}

/** What an issue's record tells of its epic. */
export interface IssueEpic {
  readonly id: number;
  readonly iid: number;
  readonly title: string;
  readonly groupId: number;
  readonly groupPath: string;
}

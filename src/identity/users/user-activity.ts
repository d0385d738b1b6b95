/** The last day (YYYY-MM-DD) on which somebody used the service. */
export interface UserActivity {
  readonly username: string;
  readonly lastActivityOn: string;
}

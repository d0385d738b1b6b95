/** Makes a value a parameter of the statement, and answers how the statement calls it: "$3", ":milestone". */
type Bind = (value: unknown) => string;

const DUE = (alias: string): string => `${alias}.state = 'active' AND ${alias}.due_date > current_date`;

/** The next one to be due in its project or group. */
const UPCOMING = `${DUE('chosen')} AND NOT EXISTS (
  SELECT 1 FROM milestones sooner WHERE ${DUE('sooner')} AND sooner.due_date < chosen.due_date
    AND (sooner.project_id = chosen.project_id OR sooner.group_id = chosen.group_id))`;

const STARTED = `chosen.state = 'active' AND chosen.start_date <= current_date`;

/**
 * SQL over the column with a milestone's id: it is the one that a list's parameter `milestone` asks for, by its title
 * or by one of the reference's words (`None`, `Any`, `#upcoming`, `#started`).
 */
export function milestoneCondition(column: string, title: string, bind: Bind): string {
  const chosen = (condition: string): string =>
    `EXISTS (SELECT 1 FROM milestones chosen WHERE chosen.id = ${column} AND ${condition})`;
  switch (title.toLowerCase()) {
    case 'none':
    case 'no milestone':
      return `${column} IS NULL`;
    case 'any':
    case 'any milestone':
      return `${column} IS NOT NULL`;
    case '#upcoming':
      return chosen(UPCOMING);
    case '#started':
      return chosen(STARTED);
    default:
      return chosen(`chosen.title = ${bind(title)}`);
  }
}

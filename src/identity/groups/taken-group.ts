import { uniqueViolation } from '#libs/database';
import { invalid } from '#libs/errors';
import { TAKEN } from './group-rules';

/** The refusal for whoever was overtaken between the look and the write; any other error as it is. */
export function takenMeanwhile(error: unknown): unknown {
  const index = uniqueViolation(error);
  if (index === 'routes_path') return invalid({ path: [TAKEN] });
  return index === 'namespaces_group_name' ? invalid({ name: [TAKEN] }) : error;
}

/** SQL over a merge request with that alias: the rules of its project hold, whatever it says itself. */
const holdsFirmly = (mergeRequest: string): string => `EXISTS (
  SELECT 1 FROM approval_settings settings
  WHERE settings.project_id = ${mergeRequest}.project_id AND settings.disable_overriding_approvers_per_merge_request)`;

/*
 * SQL over a rule `rule` and a merge request with that alias: the rule holds for it. There are its own rules and those of
 * its project, but for the ones that it has put its own in the place of. They are two conditions, not one with an OR,
 * because each has its index.
 */
const isItsOwn = (mergeRequest: string): string =>
  `rule.merge_request_id = ${mergeRequest}.id AND NOT ${holdsFirmly(mergeRequest)}`;

const isOfProject = (mergeRequest: string): string => `rule.project_id = ${mergeRequest}.project_id
  AND (${holdsFirmly(mergeRequest)} OR NOT EXISTS (
    SELECT 1 FROM approval_rules own
    WHERE own.source_rule_id = rule.id AND own.merge_request_id = ${mergeRequest}.id))`;

/** The rules that hold for the merge request $1, the project's first. */
export const RULES_OF_MERGE_REQUEST = `
  SELECT held.* FROM (
    SELECT rule.* FROM merge_requests mr JOIN approval_rules rule ON ${isOfProject('mr')} WHERE mr.id = $1
    UNION ALL
    SELECT rule.* FROM merge_requests mr JOIN approval_rules rule ON ${isItsOwn('mr')} WHERE mr.id = $1) AS held
  ORDER BY held.merge_request_id NULLS FIRST, held.id`;

/** The rule names the user, an SQL expression; somebody, where none is given. */
const names = (user: string | null): string => `EXISTS (
  SELECT 1 FROM approval_rule_users named
  WHERE named.rule_id = rule.id${user === null ? '' : ` AND named.user_id = ${user}`})`;

/**
 * SQL for the ids of the merge requests that have a rule of their own which holds and names the user, an SQL expression, or
 * anybody. They are found from the rules, so that the other merge requests do not matter.
 */
export const namedForThemselves = (user: string | null): string => `
  SELECT found.id FROM approval_rules rule JOIN merge_requests found ON ${isItsOwn('found')} WHERE ${names(user)}`;

/** The same with those for which a rule of their project holds. */
export const namedAnyhow = (user: string | null): string => `${namedForThemselves(user)}
  UNION ALL
  SELECT found.id FROM approval_rules rule JOIN merge_requests found ON ${isOfProject('found')} WHERE ${names(user)}`;

/** SQL over a merge request with that alias: a rule that holds for it names the user, or anybody. For where most have one. */
export const isNamedFor = (mergeRequest: string, user: string | null): string => `(
  EXISTS (SELECT 1 FROM approval_rules rule WHERE ${isOfProject(mergeRequest)} AND ${names(user)})
  OR EXISTS (SELECT 1 FROM approval_rules rule WHERE ${isItsOwn(mergeRequest)} AND ${names(user)}))`;

/** SQL over a merge request with that alias: no rule that holds for it names anybody. */
export const namesNobody = (mergeRequest: string): string => `(
  NOT EXISTS (SELECT 1 FROM approval_rules rule WHERE ${isItsOwn(mergeRequest)} AND ${names(null)})
  AND NOT EXISTS (SELECT 1 FROM approval_rules rule WHERE ${isOfProject(mergeRequest)} AND ${names(null)}))`;

/** SQL for the ids of the merge requests that have put a rule in the place of one of the project, an SQL expression. */
export const replacingRules = (project: string): string => `
  SELECT own.merge_request_id FROM approval_rules own JOIN approval_rules rule ON rule.id = own.source_rule_id
  WHERE rule.project_id = ${project}`;

/** Whether a rule of the project $1, or of any, names each of the users $2 (anybody, where that is null), in their order. */
export const NAMED_IN_PROJECT = `
  SELECT EXISTS (
    SELECT 1 FROM approval_rules rule JOIN approval_rule_users named ON named.rule_id = rule.id
    WHERE rule.project_id IS NOT NULL AND ($1::bigint IS NULL OR rule.project_id = $1::bigint)
      AND (wanted.id IS NULL OR named.user_id = wanted.id)) AS "isNamed"
  FROM unnest($2::bigint[]) WITH ORDINALITY AS wanted (id, place) ORDER BY wanted.place`;

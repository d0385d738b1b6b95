import type { License } from '#libs/tiers';
import type { IssueFields } from './issue.params';

/** What the caller may say of an issue, of what they say: the rest is passed over, as the reference does. */
export function permittedFields(params: IssueFields, mayAdminister: boolean, license: License): IssueFields {
  const { description, confidential } = params;
  if (!mayAdminister)
    return {
      ...(description !== undefined && { description }),
      ...(confidential !== undefined && { confidential }),
    };
  const { weight, ...others } = params;
  return weight !== undefined && license.has('issue_weights') ? { ...others, weight } : others;
}

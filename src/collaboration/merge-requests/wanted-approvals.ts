import { invalid } from '#libs/errors';
import type { Project } from '../../repository/repository.api';

/** Throws `validation`, by the reference's name and sentence, for fewer approvals than the project asks for. */
export function refuseFewerApprovals(
  { approvalsBeforeMerge }: Pick<Project, 'approvalsBeforeMerge'>,
  wanted: number | null,
): void {
  if (wanted === null || wanted >= approvalsBeforeMerge) return;
  throw invalid({
    validate_approvals_before_merge: [
      'Number of approvals must be at least that of approvals on the target project',
    ],
  });
}

import { PROJECT_POLICY, type Actor } from '#libs/access';
import { forbidden } from '#libs/errors';
import { Injectable } from '@nestjs/common';
import { AccessibleProjects, type Project } from '../../repository/repository.api';

/** Whose word may bring in what a source branch has become. */
@Injectable()
export class SourceAccess {
  constructor(private readonly accessible: AccessibleProjects) {}

  /**
   * For a merge request that has not been followed for a while: what was pushed to a fork meanwhile was shown to nobody.
   * Throws 403 for whoever may not read the fork's code, so that they do not open it to those who read the target.
   */
  async require(actor: Actor, target: Project, source: Project): Promise<void> {
    if (source.id === target.id) return;
    const found = await this.accessible.find(actor, source.id);
    if (!found || !PROJECT_POLICY.download_code(found.actor, found.project)) throw forbidden();
  }
}

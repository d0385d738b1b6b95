import { ANONYMOUS, PROJECT_POLICY, type Actor, type Scope } from '#libs/access';
import { forbidden, notFound, unauthenticated } from '#libs/errors';
import type { GitService } from '#libs/git';
import type { Account, Resolution } from '#libs/http';
import { Inject, Injectable } from '@nestjs/common';
import { PasswordLogins } from '../../identity/identity.api';
import { CallerRepository } from '../callers/caller.repository';
import type { Project } from '../projects/project.entity';
import type { Settings } from '../../settings/settings';
import { SETTINGS } from '../../settings/settings.module';
import type { GitCredential } from './git-credential';
import type { GitRequest } from './git-request';

export interface AdmittedGitCall {
  readonly actor: Actor;
  readonly project: Project;
}

const SCOPES: Record<GitService, readonly Scope[]> = {
  'git-upload-pack': ['api', 'read_api', 'read_repository', 'write_repository'],
  'git-receive-pack': ['api', 'write_repository'],
};

/** Who may fetch from and push to which project over HTTP. */
@Injectable()
export class GitAccess {
  constructor(
    private readonly resolver: CallerRepository,
    private readonly logins: PasswordLogins,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Throws 401 for whoever has not said who they are (so that git asks), 404 for what must stay hidden from those
   * who have, 403 where they see the project and may not.
   */
  async admit(request: GitRequest, credential: GitCredential | null): Promise<AdmittedGitCall> {
    const { actor, project } = await this.identify(request, credential);
    const isPush = request.service === 'git-receive-pack';
    const mayRead = project !== null && PROJECT_POLICY.download_code(actor, project);
    if (!actor.user && (isPush || !mayRead)) throw unauthenticated();
    if (!project || !PROJECT_POLICY.reader(actor, project)) throw notFound('Project');
    if (!mayRead) throw forbidden('You are not allowed to download code from this project.');
    if (isPush && !PROJECT_POLICY.push_code(actor, project)) {
      throw forbidden('You are not allowed to push code to this project.');
    }
    return { actor, project };
  }

  private async identify(request: GitRequest, credential: GitCredential | null): Promise<{ actor: Actor; project: Project | null }> {
    const subject = { kind: 'project', id: request.fullPath } as const;
    if (!credential) return { actor: ANONYMOUS, project: (await this.resolver.resolve(null, subject)).project };
    const secret = credential.kind === 'token' ? credential.secret : credential.password;
    const byToken = await this.resolver.resolve({ by: 'credential', credential: { kind: 'token', secret } }, subject);
    if (byToken.account?.credential === 'token') return this.withToken(byToken, byToken.account, SCOPES[request.service]);
    if (credential.kind === 'token') throw unauthenticated();
    const user = await this.logins.withPassword(credential.login, credential.password);
    if (!user) throw unauthenticated();
    const found = await this.resolver.resolve({ by: 'name', idOrUsername: String(user.id) }, subject);
    if (!found.account) throw unauthenticated();
    return {
      actor: { user: found.account.user, level: found.level, credential: 'password', scopes: [] },
      project: found.project,
    };
  }

  private withToken({ level, project }: Resolution, account: Account, scopes: readonly Scope[]) {
    const isRefused = account.isImpersonation && !this.settings.impersonationEnabled;
    if (isRefused || account.isBlocked || account.isExpired || account.isRevoked) throw unauthenticated();
    if (!account.scopes.some((scope) => scopes.includes(scope))) {
      throw forbidden(`The token needs one of the scopes ${scopes.join(', ')}.`);
    }
    const actor: Actor = { user: account.user, level, credential: 'token', scopes: account.scopes };
    return { actor, project };
  }
}

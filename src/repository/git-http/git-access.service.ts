import { ANONYMOUS, PROJECT_POLICY, type Actor, type Scope } from '#libs/access';
import { forbidden, notFound, unauthenticated } from '#libs/errors';
import type { GitService } from '#libs/git';
import type { Account, Resolution, SubjectReference } from '#libs/http';
import { Inject, Injectable } from '@nestjs/common';
import { PasswordLogins } from '../../identity/identity.api';
import { CallerRepository } from '../callers/caller.repository';
import { PushRights } from '../changes/push-rights';
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

export const ARCHIVED = 'This project is archived, so nothing can be pushed to it.';

/** The login under which CI runners show the token of their job. */
const JOB_LOGIN = 'gitlab-ci-token';

type PasswordCredential = Extract<GitCredential, { kind: 'password' }>;

interface Identified {
  readonly actor: Actor;
  readonly project: Project | null;
}

/** Who may fetch from and push to which project over HTTP. */
@Injectable()
export class GitAccess {
  constructor(
    private readonly resolver: CallerRepository,
    private readonly logins: PasswordLogins,
    private readonly rights: PushRights,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Throws 401 for whoever has not said who they are (so that git asks), 404 for what must stay hidden from those
   * who have, 403 where they see the project and may not. `address` is the client's.
   */
  async admit(
    request: GitRequest,
    credential: GitCredential | null,
    address: string,
  ): Promise<AdmittedGitCall> {
    const { actor, project } = await this.identify(request, credential, address);
    const isPush = request.service === 'git-receive-pack';
    const mayRead = project !== null && PROJECT_POLICY.download_code(actor, project);
    if (!actor.user && (isPush || !mayRead)) throw unauthenticated();
    if (!project || !PROJECT_POLICY.reader(actor, project)) throw notFound('Project');
    if (!mayRead) throw forbidden('You are not allowed to download code from this project.');
    if (isPush && project.archived) throw forbidden(ARCHIVED);
    if (isPush && !(await this.rights.mayPushAnything(actor, project))) {
      throw forbidden('You are not allowed to push code to this project.');
    }
    return { actor, project };
  }

  private async identify(
    request: GitRequest,
    credential: GitCredential | null,
    address: string,
  ): Promise<Identified> {
    const subject = { kind: 'project', id: request.fullPath } as const;
    if (!credential)
      return { actor: ANONYMOUS, project: (await this.resolver.resolve(null, subject)).project };
    const kind = isOfJob(credential) ? 'job_token' : 'token';
    const secret = credential.kind === 'token' ? credential.secret : credential.password;
    const found = await this.resolver.resolve({ by: 'credential', credential: { kind, secret } }, subject);
    if (found.account) return this.withToken(found, found.account, request.service);
    if (credential.kind === 'token' || kind === 'job_token') throw unauthenticated();
    return this.withPassword(credential, subject, address);
  }

  private async withPassword(
    { login, password }: PasswordCredential,
    subject: SubjectReference,
    address: string,
  ): Promise<Identified> {
    const user = await this.logins.withPassword(login, password, address);
    if (!user) throw unauthenticated();
    const { account, level, project } = await this.resolver.resolve(
      { by: 'name', idOrUsername: String(user.id) },
      subject,
    );
    if (!account) throw unauthenticated();
    return { actor: { user: account.user, level, credential: 'password', scopes: [] }, project };
  }

  private withToken({ level, project }: Resolution, account: Account, service: GitService): Identified {
    const isRefused = account.isImpersonation && !this.settings.impersonationEnabled;
    if (isRefused || account.isBlocked || account.isDeactivated || account.isExpired || account.isRevoked)
      throw unauthenticated();
    if (account.credential === 'job_token') this.requireJobMay(service);
    else requireScope(account, SCOPES[service]);
    return {
      actor: { user: account.user, level, credential: account.credential, scopes: account.scopes },
      project,
    };
  }

  /** Jobs fetch what they build, whatever is licensed: the API's endpoints alone are not for all. They never push. */
  private requireJobMay(service: GitService): void {
    if (service !== 'git-upload-pack') throw forbidden('Job tokens cannot push.');
  }
}

function requireScope(account: Account, scopes: readonly Scope[]): void {
  if (!account.scopes.some((scope) => scopes.includes(scope))) {
    throw forbidden(`The token needs one of the scopes ${scopes.join(', ')}.`);
  }
}

const isOfJob = (credential: GitCredential): boolean =>
  credential.kind === 'password' && credential.login === JOB_LOGIN;

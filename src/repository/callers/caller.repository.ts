import { Database, hydrate } from '#libs/database';
import { SCOPES, type Scope } from '#libs/access';
import type { Account, CallerReference, CallerResolver, Resolution, SubjectReference } from '#libs/http';
import { Injectable, Logger } from '@nestjs/common';
import { digestOf, Namespace } from '../../identity/identity.api';
import type { Project } from '../projects/project.entity';
import { projectOf, type ProjectRow } from '../projects/project-row';
import { callerStatement, type CallerKey, type SubjectKey } from './caller-statement';

interface CallerRow {
  user_id: number;
  user_username: string;
  user_name: string;
  user_email: string;
  user_is_admin: boolean;
  user_is_external: boolean;
  user_can_create_group: boolean;
  user_projects_limit: number;
  user_is_blocked: boolean;
  token_id?: number;
  token_kind?: 'personal' | 'impersonation' | 'oauth' | 'job' | 'session';
  token_scopes?: string[];
  token_csrf?: string | null;
  token_is_expired?: boolean;
  token_is_revoked?: boolean;
  token_use_is_stale?: boolean;
}

interface ResolutionRow {
  caller: CallerRow | null;
  subject: ProjectRow | null;
  level: number;
  has_visible_project?: boolean;
}

declare module '#libs/http' {
  interface Subjects {
    project: Project;
    group: Namespace;
  }
}

/** The caller, the project or group of the path, and the level between them: one prepared statement a request. */
@Injectable()
export class CallerRepository implements CallerResolver {
  private readonly logger = new Logger(CallerRepository.name);

  constructor(private readonly database: Database) {}

  async resolve(caller: CallerReference | null, subject: SubjectReference | null): Promise<Resolution> {
    const [callerKey, callerValue] = callerParameter(caller);
    const [subjectKey, subjectValue] = subjectParameter(subject);
    const { name, text } = callerStatement(callerKey, subjectKey);
    const [row] = await this.database.prepared<ResolutionRow>(name, text, [callerValue, subjectValue]);
    if (!row) throw new Error('the caller statement always gives a row');
    const { subject: found, level } = row;
    if (row.caller?.token_use_is_stale && row.caller.token_id !== undefined)
      this.noteUse(row.caller.token_id);
    return {
      account: row.caller && accountOf(row.caller, caller),
      level,
      project: found && subject?.kind === 'project' ? projectOf(found) : null,
      group: found && subject?.kind === 'group' ? groupOf(found, row.has_visible_project ?? false) : null,
    };
  }

  /** `last_used_at` is exact to ten minutes, so that reads do not cost a write each; nobody waits for it. */
  private noteUse(tokenId: number): void {
    this.database
      .prepared('note_token_use', 'UPDATE access_tokens SET last_used_at = now() WHERE id = $1', [tokenId])
      .catch((error: unknown) => this.logger.warn({ err: error }, 'last use of a token could not be noted'));
  }
}

const groupOf = (row: Pick<ProjectRow, 'full_path'>, hasVisibleProject: boolean): Namespace =>
  Object.assign(hydrate(Namespace, row), { fullPath: row.full_path, hasVisibleProject });

function callerParameter(caller: CallerReference | null): [CallerKey, string | null] {
  if (!caller) return ['nobody', null];
  if (caller.by === 'credential') return ['credential', digestOf(caller.credential.secret).toString('hex')];
  return [/^\d{1,18}$/.test(caller.idOrUsername) ? 'user_id' : 'username', caller.idOrUsername];
}

function subjectParameter(subject: SubjectReference | null): [SubjectKey, string | null] {
  if (!subject) return ['nothing', null];
  const isId = typeof subject.id === 'number';
  if (subject.kind === 'project') return [isId ? 'project_id' : 'project_path', String(subject.id)];
  return [isId ? 'group_id' : 'group_path', String(subject.id)];
}

const isScope = (text: string): text is Scope => SCOPES.some((scope) => scope === text);

const SHOWN_AS = {
  personal: 'token',
  impersonation: 'token',
  oauth: 'token',
  job: 'job_token',
  session: 'session',
} as const;

/** A secret is good only in the place of its kind: a session's cookie is no access token, nor is a job's token. */
function accountOf(row: CallerRow, caller: CallerReference | null): Account | null {
  const credential = row.token_kind ? SHOWN_AS[row.token_kind] : 'token';
  if (caller?.by === 'credential' && caller.credential.kind !== credential) return null;
  return {
    user: {
      id: row.user_id,
      username: row.user_username,
      name: row.user_name,
      email: row.user_email,
      isAdmin: row.user_is_admin,
      isExternal: row.user_is_external,
      canCreateGroup: row.user_can_create_group,
      projectsLimit: row.user_projects_limit,
    },
    isBlocked: row.user_is_blocked,
    credential,
    scopes: (row.token_scopes ?? []).filter(isScope),
    isExpired: row.token_is_expired ?? false,
    isRevoked: row.token_is_revoked ?? false,
    isImpersonation: row.token_kind === 'impersonation',
    csrfToken: row.token_csrf ?? null,
  };
}

import { Database, hydrate } from '#libs/database';
import { SCOPES, type Scope } from '#libs/access';
import type { Account, CallerReference, CallerResolver, Resolution, SubjectReference } from '#libs/http';
import { Injectable, Logger } from '@nestjs/common';
import { digestOf, Namespace, USE_OF_TOKEN } from '../../identity/identity.api';
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
  user_is_deactivated: boolean;
  user_must_change_password: boolean;
  token_id?: number;
  token_kind?: 'personal' | 'impersonation' | 'oauth' | 'job' | 'session';
  token_scopes?: string[];
  token_csrf?: string | null;
  token_is_expired?: boolean;
  token_is_revoked?: boolean;
  token_use_is_stale?: boolean;
  user_activity_is_stale?: boolean;
}

interface ResolutionRow {
  caller: CallerRow | null;
  subject: ProjectRow | null;
  level: number;
  has_visible_project?: boolean;
}

/** Several requests of the first moment of a day may come here; one of them writes. */
const ACTIVITY = `
  UPDATE users SET last_activity_on = current_date
  WHERE id = $1 AND (last_activity_on IS NULL OR last_activity_on < current_date)`;

/** What is refused is no use. */
const isUsable = (account: Account): boolean =>
  !account.isBlocked && !account.isDeactivated && !account.isExpired && !account.isRevoked;

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
    const account = row.caller && accountOf(row.caller, caller);
    if (row.caller && account && isUsable(account)) this.noteUse(row.caller);
    return {
      account,
      level,
      project: found && subject?.kind === 'project' ? projectOf(found) : null,
      group: found && subject?.kind === 'group' ? groupOf(found, row.has_visible_project ?? false) : null,
    };
  }

  /** A token's last use is exact to ten minutes, its owner's to a day: reads do not cost a write each. Nobody waits for it. */
  private noteUse(caller: CallerRow): void {
    if (caller.token_use_is_stale)
      this.note('note_token_use', `UPDATE access_tokens SET ${USE_OF_TOKEN} WHERE id = $1`, caller.token_id);
    if (caller.user_activity_is_stale) this.note('note_user_activity', ACTIVITY, caller.user_id);
  }

  private note(name: string, text: string, id: number | undefined): void {
    this.database
      .prepared(name, text, [id])
      .catch((error: unknown) =>
        this.logger.warn({ err: error }, 'the last use of a token could not be noted'),
      );
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
    isDeactivated: row.user_is_deactivated,
    mustChangePassword: row.user_must_change_password,
    credential,
    scopes: (row.token_scopes ?? []).filter(isScope),
    isExpired: row.token_is_expired ?? false,
    isRevoked: row.token_is_revoked ?? false,
    isImpersonation: row.token_kind === 'impersonation',
    csrfToken: row.token_csrf ?? null,
  };
}

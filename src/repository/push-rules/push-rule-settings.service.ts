import {
  DomainError,
  forbidden,
  invalid,
  notFound,
  requireUnmodified,
  type ValidationErrors,
} from '#libs/errors';
import type { ParamsOf } from '#libs/http';
import { License } from '#libs/tiers';
import { Injectable } from '@nestjs/common';
import type { Project } from '../projects/project.entity';
import { PushPattern } from './push-pattern';
import type { PushRule } from './push-rule.entity';
import type { ChangePushRule } from './push-rule.params';
import { PushRulesRepository, type PushRuleColumns } from './push-rules.repository';

type Params = Omit<ParamsOf<typeof ChangePushRule>, 'id'>;

/** The column's limit; nobody has such files. */
const LARGEST_SIZE = 2 ** 31 - 1;

const PATTERNS = [
  'commit_message_regex',
  'commit_message_negative_regex',
  'branch_name_regex',
  'author_email_regex',
  'file_name_regex',
] as const;

/** The push rule of a project, which has one at most. */
@Injectable()
export class PushRuleSettings {
  constructor(
    private readonly rules: PushRulesRepository,
    private readonly license: License,
  ) {}

  /** Null where there is none. */
  find(project: Project): Promise<PushRule | null> {
    return this.rules.find(project.id);
  }

  /** Throws `unprocessable` where there is a rule already, and what is wrong with the params. */
  async create(project: Project, params: Params): Promise<PushRule> {
    const isNew = await this.rules.insert(project.id, this.columnsOf(params));
    if (!isNew) throw new DomainError({ kind: 'unprocessable', error: 'Project push rule exists' });
    return this.require(project);
  }

  /** Throws "404 Push Rule Not Found", and what is wrong with the params. */
  async update(project: Project, params: Params): Promise<PushRule> {
    await this.require(project);
    await this.rules.update(project.id, this.columnsOf(params));
    return this.require(project);
  }

  /** Throws "404 Push Rule Not Found", the second time too. */
  async remove(project: Project, unmodifiedSince: Date | null): Promise<void> {
    const rule = await this.require(project);
    requireUnmodified(rule.updatedAt, unmodifiedSince);
    await this.rules.remove(rule.id);
  }

  private async require(project: Project): Promise<PushRule> {
    const rule = await this.rules.find(project.id);
    if (!rule) throw notFound('Push Rule');
    return rule;
  }

  /** Throws 403 for what the licence lacks, then 400 with all that is wrong. */
  private columnsOf(params: Params): PushRuleColumns {
    for (const feature of ['commit_committer_check', 'reject_unsigned_commits'] as const) {
      if (params[feature] !== undefined && !this.license.has(feature)) throw forbidden();
    }
    const errors = errorsIn(params);
    if (Object.keys(errors).length > 0) throw invalid(errors);
    return givenIn(params);
  }
}

function errorsIn(params: Params): ValidationErrors {
  const errors: ValidationErrors = {};
  for (const name of PATTERNS) {
    const problem = PushPattern.problemOf(params[name] ?? '');
    if (problem !== null) errors[name] = [problem];
  }
  const { max_file_size: size = 0 } = params;
  if (size < 0) errors['max_file_size'] = ['must be greater than or equal to 0'];
  if (size > LARGEST_SIZE) errors['max_file_size'] = [`must be less than or equal to ${LARGEST_SIZE}`];
  return errors;
}

function givenIn(params: Params): PushRuleColumns {
  const columns = {
    denyDeleteTag: params.deny_delete_tag,
    memberCheck: params.member_check,
    preventSecrets: params.prevent_secrets,
    commitMessageRegex: params.commit_message_regex,
    commitMessageNegativeRegex: params.commit_message_negative_regex,
    branchNameRegex: params.branch_name_regex,
    authorEmailRegex: params.author_email_regex,
    fileNameRegex: params.file_name_regex,
    maxFileSize: params.max_file_size,
    commitCommitterCheck: params.commit_committer_check,
    rejectUnsignedCommits: params.reject_unsigned_commits,
  };
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
}

import type { Visibility } from '#libs/access';
import type { Commit } from '#libs/git';
import { presentGitTime, Urls } from '#libs/presenting';
import { Injectable } from '@nestjs/common';
import { avatarUrl, Users, type User } from '../../identity/identity.api';
import type { Project } from '../projects/project.entity';

const VISIBILITY_LEVELS: Readonly<Record<Visibility, number>> = { private: 0, internal: 10, public: 20 };
/** A commit's message may have any size; a call tells so many characters of it. */
const LONGEST_MESSAGE = 20_000;

/** What receivers of different kinds of calls are told in the same words. */
@Injectable()
export class HookRecords {
  constructor(
    private readonly urls: Urls,
    private readonly users: Users,
  ) {}

  project(project: Project) {
    const web = this.urls.web(project.fullPath);
    const ssh = this.urls.gitOverSsh(project.fullPath);
    const http = this.urls.gitOverHttp(project.fullPath);
    return {
      id: project.id,
      name: project.name,
      description: project.description ?? '',
      web_url: web,
      avatar_url: avatarUrl(this.urls, 'project', project.id, project.avatar),
      git_ssh_url: ssh,
      git_http_url: http,
      namespace: project.namespace.name,
      visibility_level: VISIBILITY_LEVELS[project.visibility],
      path_with_namespace: project.fullPath,
      default_branch: project.defaultBranch,
      ci_config_path: project.ciConfigPath,
      homepage: web,
      url: ssh,
      ssh_url: ssh,
      http_url: http,
    };
  }

  /** The reference's older form of the project. */
  repository(project: Project) {
    const { name, description, web_url, git_ssh_url, git_http_url, visibility_level } = this.project(project);
    return {
      name,
      url: git_ssh_url,
      description,
      homepage: web_url,
      git_http_url,
      git_ssh_url,
      visibility_level,
    };
  }

  /** Whoever did it; null where the system did, or the account is gone. */
  async user(id: number | null) {
    const user = id === null ? null : await this.users.find(id);
    return user && { name: user.name, username: user.username, avatar_url: this.avatarOf(user) };
  }

  /** The same for pushes, which name each field of it. The address is the one that the user shows to everybody. */
  async pusher(id: number | null) {
    const user = id === null ? null : await this.users.find(id);
    return {
      user_id: user?.id ?? null,
      user_name: user?.name ?? null,
      user_username: user?.username ?? null,
      user_email: user?.publicEmail ?? null,
      user_avatar: user && this.avatarOf(user),
    };
  }

  commit(project: Project, { sha, message, committer, author }: Commit) {
    return {
      id: sha,
      message: message.slice(0, LONGEST_MESSAGE),
      timestamp: presentGitTime(committer).replace('.000', ''),
      url: `${this.urls.web(project.fullPath)}/commit/${sha}`,
      author: { name: author.name, email: author.email },
    };
  }

  private avatarOf(user: User): string | null {
    return avatarUrl(this.urls, 'user', user.id, user.avatar);
  }
}

import { Endpoint, type CallOf } from '#libs/http';
import { Controller } from '@nestjs/common';
import { ListProjectsOfUser, ListStarredProjects } from './project.params';
import { presentProject } from './project.presenter';
import { UserProjects } from './user-projects.service';

const LIST = { access: 'anyone', paginated: true, presents: presentProject } as const;

/** Specification, Projects: the lists by user. */
@Controller()
export class UserProjectsController {
  constructor(private readonly projects: UserProjects) {}

  @Endpoint('GET /users/:user_id/projects', { ...LIST, params: ListProjectsOfUser })
  owned({ actor, params, page }: CallOf<typeof ListProjectsOfUser>) {
    return this.projects.owned(actor, params, page);
  }

  @Endpoint('GET /users/:user_id/starred_projects', { ...LIST, params: ListStarredProjects })
  starred({ actor, params, page }: CallOf<typeof ListStarredProjects>) {
    return this.projects.starred(actor, params, page);
  }
}

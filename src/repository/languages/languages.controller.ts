import { Endpoint, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { ReadLanguages } from './language.params';
import { presentLanguages } from './language.presenter';
import { LanguagesService } from './languages.service';

/** What a project is written in, as the reference tells it. */
@Controller()
export class LanguagesController {
  constructor(private readonly languages: LanguagesService) {}

  @Endpoint('GET /projects/:id/languages', {
    access: 'project:download_code',
    params: ReadLanguages,
    presents: presentLanguages,
  })
  list({ subject: project }: ProjectCall<typeof ReadLanguages>) {
    return this.languages.of(project);
  }
}

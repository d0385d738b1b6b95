import { Endpoint, params, type ProjectCall } from '#libs/http';
import { Controller } from '@nestjs/common';
import { presentLanguages } from './language.presenter';
import { LanguagesService } from './languages.service';

const LanguagesPath = params({});

/** What a project is written in, as the reference tells it. */
@Controller()
export class LanguagesController {
  constructor(private readonly languages: LanguagesService) {}

  @Endpoint('GET /projects/:id/languages', {
    access: 'project:download_code',
    params: LanguagesPath,
    presents: presentLanguages,
  })
  list({ subject: project }: ProjectCall<typeof LanguagesPath>) {
    return this.languages.of(project);
  }
}

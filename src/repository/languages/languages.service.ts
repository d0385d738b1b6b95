import { Injectable } from '@nestjs/common';
import type { Project } from '../projects/project.entity';
import { LanguagesRepository } from './languages.repository';
import type { ProjectLanguages } from './project-languages';

/** What projects are written in. */
@Injectable()
export class LanguagesService {
  constructor(private readonly languages: LanguagesRepository) {}

  /** As they were found last, the most used first; none until then. */
  async of({ id }: Project): Promise<ProjectLanguages> {
    return { shares: await this.languages.ofProject(id) };
  }
}

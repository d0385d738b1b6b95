import { Injectable } from '@nestjs/common';
import type { Project } from '../projects/project.entity';
import { LanguagesRepository, type LanguageShare } from './languages.repository';

/** What projects are written in. */
@Injectable()
export class LanguagesService {
  constructor(private readonly languages: LanguagesRepository) {}

  /** As they were found last, the most used first; none until then. */
  of({ id }: Project): Promise<LanguageShare[]> {
    return this.languages.ofProject(id);
  }
}

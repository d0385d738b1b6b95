import { Injectable } from '@nestjs/common';
import type { License } from './project-details';
import type { Project } from './project.entity';

/** Recognises the licence in a project's repository. */
export abstract class LicenseDetection {
  /** Null where there is none or it is none of the known. */
  abstract of(project: Project): Promise<License | null>;
}

/** Until licences are read from repositories: none is recognised. */
@Injectable()
export class NoLicenseDetection extends LicenseDetection {
  of(): Promise<null> {
    return Promise.resolve(null);
  }
}

import type { License } from './project-details';
import type { Project } from './project.entity';

/** Recognises the licence in a project's repository. */
export abstract class LicenseDetection {
  /** Null where there is no such file; a text that is none of the known licences has the key `other`. */
  abstract of(project: Project): Promise<License | null>;
}

import type { GitReader, Sha } from '#libs/git';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { branchRef } from '../changes/ref-moves.service';
import { LicenseDetection } from '../projects/license-detection';
import type { License } from '../projects/project-details';
import type { Project } from '../projects/project.entity';
import { Repositories } from '../storages/repositories';
import { licenseFileOf } from './license-files';
import { knownLicenses, type KnownLicense } from './license-texts';
import { TextMeasure } from './text-measure';

/** Larger files are none of the known licences. */
const LARGEST = 200 * 1024;
const LEAST_LIKENESS = 0.9;
const MOST_KNOWN_FILES = 5_000;

type Described = Omit<License, 'path'>;

const pageOf = (key: string): string => `http://choosealicense.com/licenses/${key}/`;

/** What the reference calls the text of a licence that is none of the known. */
const OTHER: Described = {
  key: 'other',
  name: 'Other',
  nickname: null,
  htmlUrl: pageOf('other'),
  sourceUrl: null,
};

/** Recognises licences by their text: the most alike of the known ones. */
@Injectable()
export class RepositoryLicenses extends LicenseDetection {
  /** By the sha of the file, which says all of its content. */
  private readonly known = new LRUCache<Sha, Described>({ max: MOST_KNOWN_FILES });

  constructor(private readonly repositories: Repositories) {
    super();
  }

  async of(project: Project): Promise<License | null> {
    if (project.defaultBranch === null) return null;
    const repository = this.repositories.open(project);
    const tip = await repository.ref(branchRef(project.defaultBranch));
    if (tip === null) return null;
    const entries = (await repository.tree(tip, '', { recursive: false })) ?? [];
    const file = licenseFileOf(entries.filter(({ mode }) => mode.startsWith('100')));
    return file && { ...(await this.licenseIn(repository, file.sha)), path: file.path };
  }

  private async licenseIn(repository: GitReader, sha: Sha): Promise<Described> {
    const before = this.known.get(sha);
    if (before) return before;
    const size = (await repository.blobSize(sha)) ?? 0;
    const text = size > LARGEST ? '' : (await repository.blob(sha)).toString('utf8');
    const found = describe(mostAlike(TextMeasure.of(text), await knownLicenses()));
    this.known.set(sha, found);
    return found;
  }
}

function mostAlike(text: TextMeasure, licenses: readonly KnownLicense[]): KnownLicense | null {
  let best: KnownLicense | null = null;
  let most = LEAST_LIKENESS;
  for (const license of licenses) {
    if (text.mostLikeness(license.measure) < most) continue;
    const likeness = text.likeness(license.measure);
    if (likeness < most) continue;
    most = likeness;
    best = license;
  }
  return best;
}

const describe = (license: KnownLicense | null): Described =>
  license === null
    ? OTHER
    : {
        key: license.key,
        name: license.name,
        nickname: license.nickname,
        htmlUrl: pageOf(license.key),
        sourceUrl: license.sourceUrl,
      };

import type { GitReader, Sha } from '#libs/git';
import { Injectable } from '@nestjs/common';
import { languageData } from './language-data';
import { LanguageWalk, TooManyFiles, type LanguageBytes } from './language-walk';
import { LinguistAttributes } from './linguist-attributes';

const ATTRIBUTES = '.gitattributes';
/** A larger one is as good as none. */
const LARGEST_ATTRIBUTES = 100 * 1024;

/** Finds out in which languages a commit's files are written, by Linguist's data and much of its rules. */
@Injectable()
export class LanguageDetection {
  /** Bytes by language; nothing for repositories of too many files. */
  async of(repository: GitReader, commit: Sha): Promise<LanguageBytes> {
    const walk = new LanguageWalk(
      repository,
      commit,
      await languageData(),
      await attributesOf(repository, commit),
    );
    try {
      return await walk.bytes();
    } catch (error) {
      if (error instanceof TooManyFiles) return new Map();
      throw error;
    }
  }
}

async function attributesOf(repository: GitReader, commit: Sha) {
  const file = await repository.file(commit, ATTRIBUTES);
  if (!file || file.size > LARGEST_ATTRIBUTES) return { sha: null, rules: LinguistAttributes.read('') };
  const rules = LinguistAttributes.read((await repository.blob(file.sha)).toString('utf8'));
  return { sha: rules.isEmpty ? null : file.sha, rules };
}

import { WikiCommits } from './wiki-commits.service';
import { WikiPageHookEvent } from './wiki-page-hook-event';
import { WikiRepositories } from './wiki-repositories';
import { WikisController } from './wikis.controller';
import { Wikis } from './wikis.service';

/** Wikis of projects, as the repository module takes them up. */
export const WIKIS = {
  controllers: [WikisController],
  providers: [WikiCommits, WikiPageHookEvent, WikiRepositories, Wikis],
} as const;

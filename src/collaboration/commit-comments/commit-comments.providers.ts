import { CommitCommentsController } from './commit-comments.controller';
import { CommitComments } from './commit-comments.service';

/** Comments on commits, as the collaboration module takes them up. */
export const COMMIT_COMMENTS = {
  controllers: [CommitCommentsController],
  providers: [CommitComments],
} as const;

import { PersonalSnippetsController } from './personal-snippets.controller';
import { PersonalSnippets } from './personal-snippets.service';
import { ProjectSnippetsController } from './project-snippets.controller';
import { ShownSnippets } from './shown-snippets.service';
import { SnippetContributions } from './snippet-contributions.repository';
import { Snippet } from './snippet.entity';
import { SnippetsRepository } from './snippets.repository';
import { Snippets } from './snippets.service';

/** Snippets of projects and people, as the collaboration module takes them up. */
export const SNIPPETS = {
  entities: [Snippet],
  controllers: [ProjectSnippetsController, PersonalSnippetsController],
  providers: [PersonalSnippets, ShownSnippets, Snippets, SnippetsRepository],
  published: [SnippetContributions],
} as const;

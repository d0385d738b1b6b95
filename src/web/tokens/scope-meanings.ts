import type { Scope } from '#libs/access';

/** What a token with the scope may do, told to the person for whom it acts. */
export const SCOPE_MEANINGS: Readonly<Record<Scope, string>> = {
  api: 'Everything you can do yourself, through the API and git.',
  read_api: 'Everything you can see yourself, through the API.',
  read_user: 'Profiles: yours and those of others.',
  read_repository: 'Contents of repositories: git clone and fetch.',
  write_repository: 'Contents of repositories: git clone, fetch and push.',
  sudo: 'Acting as any user, together with another scope. For administrators.',
};

/** What the guard has to know of a page. */
export type PageDefinition =
  { readonly access: 'anyone' } | { readonly access: 'signed-in'; readonly withExpiredPassword: boolean };

export const PAGE = Symbol('page');

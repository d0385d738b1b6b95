/** A group's SCIM, as its owners see it. */
export interface ScimSettings {
  readonly enabled: boolean;
  readonly fullPath: string;
}

/** As `ScimSettings`, by who has just switched: `token` is shown this once, and null where there is none any more. */
export interface SwitchedScim extends ScimSettings {
  readonly token: string | null;
}

/** What an administrator enters at the identity provider. */
export const scimPath = (fullPath: string): string => `api/scim/v2/groups/${fullPath}`;

import { field, presenter } from '#libs/presenting';

/** A group's SCIM, as its owners see it. */
export interface ScimSettings {
  readonly enabled: boolean;
  readonly fullPath: string;
}

/** As `ScimSettings`, by who has just switched: `token` is shown this once, and null where there is none any more. */
export interface SwitchedScim extends ScimSettings {
  readonly token: string | null;
}

const State = field.object({ enabled: field.boolean(), scim_api_endpoint_url: field.string() });

/** What an administrator enters at the identity provider. */
export const scimPath = (fullPath: string): string => `api/scim/v2/groups/${fullPath}`;

export const presentScim = presenter(State, ({ enabled, fullPath }: ScimSettings, { urls }) => ({
  enabled,
  scim_api_endpoint_url: urls.web(scimPath(fullPath)),
}));

export const presentSwitchedScim = presenter(
  State.extend({ token: field.string().nullable() }),
  ({ enabled, fullPath, token }: SwitchedScim, { urls }) => ({
    enabled,
    scim_api_endpoint_url: urls.web(scimPath(fullPath)),
    token,
  }),
);

import { field, presenter } from '#libs/presenting';
import { scimPath, type ScimSettings, type SwitchedScim } from './scim-settings';

const State = field.object({ enabled: field.boolean(), scim_api_endpoint_url: field.string() });

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

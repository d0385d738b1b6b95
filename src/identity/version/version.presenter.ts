import { field, presenter } from '#libs/presenting';
import type { Version } from './version';

const VersionRecord = field.object({ version: field.string(), revision: field.string() });

export const presentVersion = presenter(VersionRecord, ({ version, revision }: Version) => ({
  version,
  revision,
}));

const MetadataRecord = VersionRecord.extend({
  kas: field.object({
    enabled: field.boolean(),
    externalUrl: field.string().nullable(),
    version: field.string().nullable(),
  }),
  enterprise: field.boolean(),
});

/** Newer clients ask for this. There is no agent server for Kubernetes (`kas`). */
export const presentMetadata = presenter(MetadataRecord, ({ version, revision }: Version, { license }) => ({
  version,
  revision,
  kas: { enabled: false, externalUrl: null, version: null },
  enterprise: license.tier !== 'core',
}));

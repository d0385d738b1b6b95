import { field, presenter } from '#libs/presenting';
import type { SamlProvider } from './saml-provider.entity';

const SamlProviderRecord = field.object({
  sso_url: field.string().nullable(),
  certificate_fingerprint: field.string().nullable(),
  enabled: field.boolean(),
});

export const presentSamlProvider = presenter(SamlProviderRecord, (provider: SamlProvider) => ({
  sso_url: provider.ssoUrl,
  certificate_fingerprint: provider.certificateFingerprint,
  enabled: provider.enabled,
}));

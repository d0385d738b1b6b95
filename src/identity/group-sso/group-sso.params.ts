import { atLeastOneOf, params, wire } from '#libs/http';

export const ReadSamlProvider = params({});

export const ChangeSamlProvider = params(
  {
    sso_url: wire.text({ max: 2_048 }).optional().describe('Where members sign in; `https`, or `http`'),
    certificate_fingerprint: wire
      .text({ max: 255 })
      .optional()
      .describe("Of the identity provider's certificate: SHA-1 or SHA-256, in hexadecimal"),
    enabled: wire.boolean().optional().describe('Also whether SCIM is open'),
  },
  atLeastOneOf('sso_url', 'certificate_fingerprint', 'enabled'),
);

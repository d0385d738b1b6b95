/** The provider of identities that belong to a group's single sign-on. */
export const GROUP_SAML = 'group_saml';

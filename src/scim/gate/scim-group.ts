/** The group whose identity provider calls. */
export interface ScimGroup {
  readonly id: number;
  readonly fullPath: string;
  /** Its single sign-on. */
  readonly samlProviderId: number;
  /** The token that was shown. */
  readonly tokenId: number;
}

declare module '#libs/http' {
  interface Subjects {
    scim: ScimGroup;
  }
}

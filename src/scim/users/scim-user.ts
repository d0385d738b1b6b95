/** A user as the identity provider of a group knows them. */
export interface ScimUser {
  readonly userId: number;
  /** The provider's own id for them. */
  readonly externUid: string;
  /** Inactive ones are shown where the installation keeps them; see SCIM_KEEP_INACTIVE. */
  readonly active: boolean;
  readonly name: string;
  readonly username: string;
  readonly email: string;
  /** As the provider last sent them; null where it has not, or where the user was linked by hand. */
  readonly sentUserName: string | null;
  readonly givenName: string | null;
  readonly familyName: string | null;
  /** This group's provider has opened the account. */
  readonly provisioned: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Full path of the group. */
  readonly groupPath: string;
}

/** A part of the users that were asked for. */
export interface ScimUserList {
  readonly totalResults: number;
  readonly itemsPerPage: number;
  readonly startIndex: number;
  readonly users: readonly ScimUser[];
}

/** A name in its parts: as they were sent while they still are in it, else cut before the last word. */
export function nameParts({ name, givenName, familyName }: ScimUser): { given: string; family: string } {
  if (givenName !== null && familyName !== null && name.includes(givenName) && name.includes(familyName))
    return { given: givenName, family: familyName };
  const cut = name.trim().lastIndexOf(' ');
  return cut < 0
    ? { given: name, family: '' }
    : { given: name.slice(0, cut).trim(), family: name.slice(cut + 1) };
}

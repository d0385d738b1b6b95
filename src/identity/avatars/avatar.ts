/** What can have a picture. */
export type AvatarKind = 'user' | 'group' | 'project';

export interface AvatarOwner {
  readonly kind: AvatarKind;
  readonly id: number;
}

/** A picture as it is served. */
export interface Avatar {
  readonly fileName: string;
  readonly contentType: string;
  readonly content: Buffer;
  /** When the picture was chosen: what caches compare by. */
  readonly updatedAt: Date;
}

export const MAX_AVATAR_BYTES = 200 * 1024;

import type { Urls } from '#libs/presenting';
import type { AvatarKind } from './avatar';

/** Where a picture is served; `fileName` is the `avatar` column of its owner, null without a picture. */
export const avatarUrl = (
  urls: Urls,
  kind: AvatarKind,
  id: number,
  fileName: string | null,
): string | null =>
  fileName === null
    ? null
    : urls.web(`uploads/-/system/${kind}/avatar/${id}/${encodeURIComponent(fileName)}`);

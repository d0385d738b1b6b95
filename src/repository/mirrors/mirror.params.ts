import { params } from '#libs/http';

export const PullMirror = params({});

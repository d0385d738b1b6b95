import { params } from '#libs/http';

export const ReadLanguages = params({});

import { params } from '#libs/http';

export const NoParams = params({});

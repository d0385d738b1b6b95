import { params } from '#libs/http';

export const StartHousekeeping = params({});

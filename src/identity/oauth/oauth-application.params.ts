import { params, wire } from '#libs/http';

export const ListApplications = params({});

export const CreateApplication = params({
  name: wire.text({ blank: false }),
  redirect_uri: wire.text({ blank: false }).describe('Where codes are sent; several by line'),
  scopes: wire.text({ blank: false }).describe('Scopes it may ask for, separated by spaces'),
  confidential: wire.boolean().default(true).describe('The application can keep its secret'),
  trusted: wire.boolean().default(false).describe('People are not asked for their consent'),
});

export const ApplicationPath = params({
  id: wire.integer(),
});

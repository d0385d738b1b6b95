import { params, wire } from '#libs/http';

export const ListEmails = params({});

export const EmailPath = params({
  email_id: wire.integer().describe('Id of the e-mail address'),
});

export const AddEmail = params({
  email: wire.text(),
});

const OfUser = params({
  id: wire.text().describe('Id of the user'),
});

export const ListUserEmails = OfUser;

export const UserEmailPath = OfUser.extend(EmailPath);

export const AddUserEmail = OfUser.extend({
  email: wire.text(),
  skip_confirmation: wire.boolean().default(false).describe('The address counts as confirmed'),
});

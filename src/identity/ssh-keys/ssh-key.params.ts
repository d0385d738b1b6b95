import { params, wire } from '#libs/http';

export const ListKeys = params({});

export const KeyPath = params({
  key_id: wire.integer().describe('Id of the key'),
});

const OfUser = params({
  id: wire.text().describe('Id of the user'),
});

export const ListUserKeys = OfUser;

export const UserKeyPath = OfUser.extend(KeyPath);

export const CreateKey = params({
  title: wire.text(),
  key: wire.text().describe('One line of type, key and comment, as in a .pub file'),
});

export const CreateUserKey = OfUser.extend(CreateKey);

export const KeyOfAnybody = params({
  id: wire.integer().describe('Id of the key'),
});

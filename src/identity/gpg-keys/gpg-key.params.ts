import { params, wire } from '#libs/http';

export const ListGpgKeys = params({});

export const GpgKeyPath = params({
  key_id: wire.integer().describe('Id of the key'),
});

export const AddGpgKey = params({
  key: wire.text().describe('Armored public key block'),
});

const OfUser = params({
  id: wire.text().describe('Id of the user'),
});

export const ListUserGpgKeys = OfUser;

export const UserGpgKeyPath = OfUser.extend(GpgKeyPath);

export const AddUserGpgKey = OfUser.extend(AddGpgKey);

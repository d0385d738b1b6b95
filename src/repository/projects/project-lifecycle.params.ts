import { params, wire } from '#libs/http';

export const TransferProject = params({
  namespace: wire.idOrPath().describe("Id or full path of the user's or group's namespace"),
});

export const ArchiveProject = params({});

import { params, wire } from '#libs/http';

export const ForkProject = params({
  namespace: wire
    .idOrPath()
    .optional()
    .describe("Id or full path of the user's or group's namespace; the caller's own by default"),
  name: wire.text().optional().describe("The source's by default"),
  path: wire.text().optional().describe("The source's by default"),
});

export const RelateFork = params({
  forked_from_id: wire.idOrPath().describe('Id or URL-encoded full path'),
});

export const EndFork = params({});

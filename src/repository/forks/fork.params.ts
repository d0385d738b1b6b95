import { params, wire } from '#libs/http';

export const ForkProject = params({
  namespace: wire
    .idOrPath()
    .optional()
    .describe("Id or full path of the user's or group's namespace; the caller's own by default"),
  namespace_id: wire.integer({ min: 1 }).optional().describe('What newer clients send instead'),
  namespace_path: wire.text({ blank: false }).optional().describe('What newer clients send instead'),
  name: wire.text().optional().describe("The source's by default"),
  path: wire.text().optional().describe("The source's by default"),
});

export const RelateFork = params({
  forked_from_id: wire.idOrPath().describe('Id or URL-encoded full path'),
});

export const EndFork = params({});

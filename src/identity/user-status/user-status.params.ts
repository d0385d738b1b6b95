import { params, wire } from '#libs/http';

export const OwnStatus = params({});

export const StatusOf = params({
  id_or_username: wire.text().describe('Id or username, in any letter case'),
});

export const SetStatus = params({
  emoji: wire
    .text()
    .nullable()
    .optional()
    .describe('Name of an emoji; speech_balloon when only a message is given'),
  message: wire.text().nullable().optional().describe('At most 100 characters, may contain emoji codes'),
});

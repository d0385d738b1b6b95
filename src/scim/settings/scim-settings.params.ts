import { params, wire } from '#libs/http';

export const ReadScim = params({});

export const SwitchScim = params({
  enabled: wire
    .boolean()
    .describe('`true` issues a token, in the place of the one before; `false` revokes it'),
});

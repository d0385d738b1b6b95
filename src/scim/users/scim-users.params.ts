import { params, wire } from '#libs/http';

const MAX_TEXT = 255;
const MAX_OPERATIONS = 100;
const MAX_EMAILS = 100;

const OfGroup = params({
  group_path: wire.text().describe('Full path of the group, its slashes plain or encoded'),
});

export const ListScimUsers = OfGroup.extend({
  filter: wire
    .text()
    .optional()
    .describe('`eq` on `id`, `externalId`, `userName` or `emails`, also several joined by `and`'),
  startIndex: wire.integer().optional().describe('From 1; with it or `count`, the filter may be left out'),
  count: wire.integer().optional().describe('At most 100'),
});

export const ScimUserPath = OfGroup.extend({ id: wire.text().describe('The external UID') });

const Name = params({
  formatted: wire.text().optional(),
  givenName: wire.text().optional(),
  familyName: wire.text().optional(),
});

const ScimEmail = params({
  value: wire.text(),
  type: wire.text().optional(),
  primary: wire.boolean().optional(),
});

export const CreateScimUser = OfGroup.extend({
  externalId: wire.text({ blank: false, max: MAX_TEXT }),
  userName: wire.text({ blank: false, max: MAX_TEXT }),
  emails: wire.list(ScimEmail, { min: 1, max: MAX_EMAILS }),
  name: wire.hash(Name).optional(),
  'name.formatted': wire.text().optional().describe('In the place of `name`'),
  displayName: wire.text().optional(),
  active: wire.boolean().optional(),
});

export const PatchScimUser = ScimUserPath.extend({
  Operations: wire.list(
    params({ op: wire.text(), path: wire.text().optional(), value: wire.anything().optional() }),
    { min: 1, max: MAX_OPERATIONS },
  ),
});

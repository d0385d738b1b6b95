import { atLeastOneOf, exactlyOneOf, params, wire } from '#libs/http';

/** What a priority can be; the smaller one comes first. */
const priority = () => wire.integer({ min: 0, max: 2_147_483_647 }).nullable().optional();

const color = () => wire.text({ max: 255 }).describe('`#RRGGBB`, `#RGB`, or the name of a colour in CSS');

const includeAncestorGroups = () =>
  wire.boolean().default(true).describe('Whether labels of the groups above are among them');

export const ListLabels = params({
  with_counts: wire.boolean().default(false),
  include_ancestor_groups: includeAncestorGroups(),
  search: wire.text().optional().describe('In name or description'),
});

const NameInPath = params({ name: wire.text().describe('The id or the name') });

export const ReadLabel = NameInPath.extend({ include_ancestor_groups: includeAncestorGroups() });

export const LabelInPath = NameInPath;

export const CreateGroupLabel = params({
  name: wire.text(),
  color: color(),
  description: wire.text().optional(),
});

export const CreateProjectLabel = CreateGroupLabel.extend({ priority: priority() });

const Changes = params({
  new_name: wire.text().optional(),
  color: color().optional(),
  description: wire.text().optional(),
});

const GroupChanges = params(Changes.shape, atLeastOneOf('new_name', 'color', 'description'));

const ProjectChanges = params(
  { ...Changes.shape, priority: priority() },
  atLeastOneOf('new_name', 'color', 'description', 'priority'),
);

export const UpdateGroupLabel = GroupChanges.extend(NameInPath);
export const UpdateProjectLabel = ProjectChanges.extend(NameInPath);

/** The older form, which names the label among the parameters. */
const Named = params(
  { label_id: wire.integer().optional(), name: wire.text().optional() },
  exactlyOneOf('label_id', 'name'),
);

export const UpdateNamedGroupLabel = GroupChanges.extend(Named);
export const UpdateNamedProjectLabel = ProjectChanges.extend(Named);
export const DeleteNamedLabel = Named;
export const PromoteNamedLabel = params({ name: wire.text() });

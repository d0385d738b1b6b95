import { params, wire } from '#libs/http';

const PLACEHOLDERS = 'Placeholders: `%{project_path}`, `%{project_id}`, `%{default_branch}`, `%{commit_sha}`';

export const ListBadges = params({});

export const BadgePath = params({ badge_id: wire.integer() });

export const CreateBadge = params({
  link_url: wire.text().describe(PLACEHOLDERS),
  image_url: wire.text().describe(PLACEHOLDERS),
});

export const RenderBadge = CreateBadge;

export const UpdateBadge = BadgePath.extend({
  link_url: wire.text().optional().describe(PLACEHOLDERS),
  image_url: wire.text().optional().describe(PLACEHOLDERS),
});

import { params, wire } from '#libs/http';

export const Discover = params({ group_path: wire.text().describe('Full path of the group') });

export const DiscoverOne = Discover.extend({ name: wire.text() });

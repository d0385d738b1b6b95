import { EndpointCatalogue } from '#libs/http';
import type { Command } from './command';

export const listRoutes: Command = {
  name: 'routes',
  summary: 'Lists the endpoints: who may call them, and which handler answers.',
  options: {},
  run(application) {
    const lines = application
      .get(EndpointCatalogue)
      .entries()
      .map(({ controller, handler, definition }) => {
        const { row, options } = definition;
        return [row, options.access, options.feature ?? '-', `${controller}.${handler}`].join('\t');
      });
    return Promise.resolve(lines.sort().join('\n'));
  },
};

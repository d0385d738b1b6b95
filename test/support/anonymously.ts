import type { Response } from 'supertest';
import type { TestApplication } from './application';

/** What somebody unknown gets at a row; whatever it names is number 1. */
export async function anonymously(app: TestApplication, row: string): Promise<Response> {
  const [method = '', path = ''] = row.split(' ');
  const url = path.replaceAll(/:\w+/g, '1');
  switch (method) {
    case 'GET':
      return app.api.get(url);
    case 'POST':
      return app.api.post(url, {});
    case 'PUT':
      return app.api.put(url, {});
    case 'DELETE':
      return app.api.delete(url);
    default:
      throw new Error(`${row} begins with no method`);
  }
}

import { useApplication } from '../../support/application';

describe('the API reference', () => {
  const application = useApplication();

  describe('GET /openapi.json', () => {
    it('is open to everybody and describes the files endpoints', async () => {
      const answer = await application.current.api.get('/openapi.json');
      expect(answer.status).toBe(200);
      expect(answer.headers['content-type']).toBe('application/json');
      expect(answer.body.openapi).toBe('3.1.0');
      expect(Object.keys(answer.body.paths)).toContain('/api/v4/projects/{id}/repository/files/{file_path}');
    });
  });

  it('is a page with its own assets and nothing from elsewhere', async () => {
    const { api } = application.current;
    const page = await api.get('/-/api');
    expect(page.status).toBe(200);
    expect(page.headers['content-security-policy']).toContain("default-src 'self'");
    expect(page.text).not.toMatch(/https?:/);
    const assets = [...page.text.matchAll(/(?:src|href)="(api\/[^"]+)"/g)].map(([, asset = '']) => asset);
    expect(assets.length).toBeGreaterThan(2);
    for (const asset of assets) expect((await api.get(`/-/${asset}`)).status).toBe(200);
  });

  it.each(['package.json', '..%2fpackage.json', '%2e%2e', 'index.html'])(
    'gives away no other file: %s',
    async (name) => {
      expect((await application.current.api.get(`/-/api/${name}`)).status).toBe(404);
    },
  );
});
